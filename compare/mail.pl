# Learns mails with SpamAssassin's Bayes plugin, or prints the probability that it gives to each, with
# no other rule. Called by compare/mail.py, with files on standard input.
#
#   perl compare/mail.pl FOLDER spam|ham|score < files
use strict;
use warnings;
use Mail::SpamAssassin;
use Mail::SpamAssassin::PerMsgStatus;

my ($folder, $what) = @ARGV;
my $sa = Mail::SpamAssassin->new({
    userprefs_filename => '/dev/null', dont_copy_prefs => 1, local_tests_only => 1, userstate_dir => $folder,
    post_config_text => "use_bayes 1\nbayes_path $folder/bayes\nbayes_auto_learn 0\nbayes_auto_expire 0\n" .
        "bayes_learn_to_journal 0\nbayes_min_ham_num 1\nbayes_min_spam_num 1\n",
});
$sa->init(1);
my $learner = $what ne 'score';
$sa->init_learner({ caller_will_untie => 1, wait_for_lock => 1 }) if $learner;
my ($bayes) = grep { ref eq 'Mail::SpamAssassin::Plugin::Bayes' } @{ $sa->{plugins}->{plugins} };
while (my $file = <STDIN>) {
    chomp $file;
    open my $in, '<', $file or die "$file: $!";
    my @lines = <$in>;
    close $in;
    my $mail = $sa->parse(\@lines, 1);
    if ($learner) {
        $sa->learn($mail, undef, $what eq 'spam' ? 1 : 0, 0)->finish;
    } else {
        my $status = Mail::SpamAssassin::PerMsgStatus->new($sa, $mail);
        my $p = $bayes->scan($status, $mail);
        printf "%.17g\n", defined $p ? $p : 0.5;
        $status->finish;
    }
    $mail->finish;
}
$sa->rebuild_learner_caches if $learner;
$sa->finish_learner if $learner;
$sa->finish;
