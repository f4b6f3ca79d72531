package dataset

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mailFields are names of header fields that a message may begin with. Those that are true
// occur in e-mail alone; the others stand above posts and articles as well.
var mailFields = map[string]bool{
	"received": true, "return-path": true, "delivered-to": true, "mime-version": true,
	"dkim-signature": true, "content-transfer-encoding": true, "x-mailer": true, "x-original-to": true,
	"from": false, "to": false, "cc": false, "subject": false, "date": false, "message-id": false,
	"reply-to": false, "sender": false, "content-type": false, "in-reply-to": false, "x-spam-status": false,
}

// longestField is more than the length of any name in mailFields.
const longestField = 64

// looksLikeMail reports whether w begins as a message or an mbox does: with at least two
// fields of a header, one that is of e-mail alone. It reads on only until that is
// decided, which is at the first line of almost any text. Of the fields that stand above posts
// too, a header has one each: lines that are all subjects are a text, and may come slowly.
func looksLikeMail(w *window) bool {
	fields, mail, seen := 0, false, make(map[string]bool)
	for from, first := 0, true; ; first = false {
		line, next := lineFrom(w, from)
		name, _, isField := bytes.Cut(line, []byte{':'})
		field := strings.ToLower(string(name[:min(len(name), longestField)]))
		onlyMail, known := mailFields[field]
		switch {
		case first && beginsMbox(line):
		case !first && len(line) > 0 && (line[0] == ' ' || line[0] == '\t'): // the field before goes on
		case !isField || bytes.ContainsAny(name, space) || first && !known:
			return false
		case known && !onlyMail && seen[field]:
			return false
		case known:
			seen[field] = true
			fields++
			mail = mail || onlyMail
		}
		if mail && fields > 1 {
			return true
		}
		if from = next; from < 0 {
			return false
		}
	}
}

// beginsMbox reports whether a line is the first of an mbox, "From who@where Thu Aug 22 …".
func beginsMbox(line []byte) bool {
	words := strings.Fields(string(line[:min(len(line), 1<<10)]))
	return len(words) > 3 && words[0] == "From" && slices.Contains([]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, words[2])
}

// isMailbox reports whether a folder that is not hidden is a Maildir, or its first file a message.
func isMailbox(fsys fs.FS) (found bool, err error) {
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case isHidden(p, d):
			return skipEntry(d)
		case !d.IsDir():
			return nil
		}
		if found, err = holdsMail(fsys, p); found {
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// holdsMail reports whether folder p of fsys is a Maildir, or its first file a message.
func holdsMail(fsys fs.FS, p string) (bool, error) {
	if isMaildir(fsys, p) {
		return true, nil
	}
	entries, err := fs.ReadDir(fsys, p)
	if err != nil {
		return false, err
	}
	f := &folder{fsys: fsys}
	for _, e := range entries {
		if name := path.Join(p, e.Name()); !isHidden(name, e) && f.isFile(name, e) {
			file, err := fsys.Open(name)
			if err != nil {
				return false, err
			}
			defer file.Close()
			return looksLikeMail(newWindow(file)), nil
		}
	}
	return false, nil
}

// isMaildir reports whether a folder has the three folders of a Maildir.
func isMaildir(fsys fs.FS, p string) bool {
	return !slices.ContainsFunc([]string{"cur", "new", "tmp"}, func(name string) bool {
		info, err := fs.Stat(fsys, path.Join(p, name))
		return err != nil || !info.IsDir()
	})
}
