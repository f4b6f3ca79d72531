#!/usr/bin/env bash
# A Flink of one machine, with Beam's job server, to run bayes-beam on:
#
#   flink.sh fetch         downloads it, once, with Maven
#   flink.sh jars          prints the folder it is in; fails where it is not there
#   flink.sh serve PORT    serves jobs on PORT until it is stopped
#
# FLINK_JARS names the folder; FLINK_PARALLELISM is how many tasks run side by
# side, 4 if it is not set.
#
# The runner org.apache.beam:beam-runners-flink-1.xx-job-server is the same
# classes in one file. Here they are fetched as the modules that it is made of,
# since these are in more repositories.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
jars=${FLINK_JARS:-${XDG_CACHE_HOME:-$HOME/.cache}/bayes/flink-$(cksum < "$here/flink/pom.xml" | cut -d' ' -f1)}

fetch() {
  [ -d "$jars" ] && return
  mkdir -p "$(dirname "$jars")"
  new=$(mktemp -d "$jars.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  mvn -q -B -Dstyle.color=never -f "$here/flink/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$new/jars"
  mv -T "$new/jars" "$jars"
}

# serve starts the job server, which starts Flink in the same process for each
# job. A task that fails is run again, as on a cluster.
serve() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/conf"
  cat > "$work/conf/flink-conf.yaml" <<CONF
parallelism.default: ${FLINK_PARALLELISM:-4}
taskmanager.numberOfTaskSlots: ${FLINK_PARALLELISM:-4}
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 3
restart-strategy.fixed-delay.delay: 1 s
CONF
  java -cp "$jars/*" org.apache.beam.runners.flink.FlinkJobServerDriver \
    --job-port "$1" --artifact-port 0 --expansion-port -1 \
    --flink-conf-dir "$work/conf" --artifacts-dir "$work/artifacts" &
  server=$!
  trap 'kill $server; wait $server || true; rm -rf "$work"' EXIT
  trap 'exit 0' INT TERM
  wait $server
}

case "${1:-}" in
  fetch) fetch ;;
  jars) [ -d "$jars" ] && printf '%s\n' "$jars" ;;
  serve) serve "${2:?which port?}" ;;
  *) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 2 ;;
esac
