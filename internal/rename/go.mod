module bayes/internal/rename

go 1.26.0

require github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe

require golang.org/x/mod v0.41.0
