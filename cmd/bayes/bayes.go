// Command bayes classifies text with naive Bayes. See docs/cli.md, or run it
// with --help.
package main

import "bayes/internal/cli"

func main() { cli.Main(serveCommand, milterCommand, tokenCommand, backupCommand) }
