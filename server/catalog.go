package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"bayes"
	"bayes/internal/atomicfile"
	"bayes/store"
)

// A Catalog is the models of a server. Each has a folder of its own, in which
//
//	model.json    {"name":"mail","generation":2,"base":"…"}
//	2/            the folder of its [store.Store]
//
// Replacing a model makes the next generation: a store of its own, which becomes
// the model's when model.json says so. Deleting a model first renames its folder,
// to .deleted- and its name, in one step, and then removes it; what a crash leaves of
// that, the next start removes.
//
// A model whose store is damaged does not keep the others from being served. It is
// listed as broken, and its requests fail, until it is replaced or deleted, or
// opened without an error by another start.
//
// The methods of a Catalog may be called by many goroutines at once.
type Catalog struct {
	opts CatalogOptions

	mu      sync.Mutex // for changes, which are rare
	entries atomic.Pointer[map[string]*entry]
	closed  bool
}

// CatalogOptions are options for [NewCatalog]. A nil *CatalogOptions is the zero
// value.
type CatalogOptions struct {
	// Dir is a folder for the folders of models that are added without one. If it
	// is empty they are refused.
	Dir string

	// Log opens the log that the replicas of a model share, by the model's name.
	// Nil means that each model's log is a file in its folder.
	Log func(ctx context.Context, name string) (store.Log, error)

	Store store.Options // of each store; Counts and Model are not looked at

	// Recent is how many predictions of each model are remembered for an hour, the least certain
	// of them, with their documents, for people to correct: in memory alone, and in at most 1 MiB
	// of it. Zero means none.
	Recent int

	// Report is called with each error of opening that does not keep the rest from
	// going on: one that makes a model broken, or ErrLeft. Nil drops them.
	Report func(model string, err error)
}

// An entry is a model of a catalog.
type entry struct {
	name      string
	folder    string
	broken    error                     // why the model cannot be used; nil if it can
	live      atomic.Pointer[liveModel] // nil if it is broken
	replacing sync.RWMutex              // held while replacing or deleting; to read, while learning
	deleted   bool                      // guarded by replacing
}

// A liveModel is the generation of a model that is in use.
type liveModel struct {
	manifest manifest
	store    *store.Store
	columns  *columns
	space    *bayes.Space
	recent   *recent
}

// NewCatalog returns a Catalog without models.
func NewCatalog(opts *CatalogOptions) *Catalog {
	c := new(Catalog)
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Report == nil {
		c.opts.Report = func(string, error) {}
	}
	c.entries.Store(&map[string]*entry{})
	return c
}

// Names returns the names of the models, sorted.
func (c *Catalog) Names() []string {
	var list []string
	for name := range *c.entries.Load() {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Store returns the store of a model, nil if there is no such model or it is
// broken. Replacing or deleting the model closes it.
func (c *Catalog) Store(name string) *store.Store {
	if e := (*c.entries.Load())[name]; e != nil && e.broken == nil {
		return e.live.Load().store
	}
	return nil
}

// Broken returns why a model cannot be used, nil if it can be or there is none.
func (c *Catalog) Broken(name string) error {
	if e := (*c.entries.Load())[name]; e != nil {
		return e.broken
	}
	return nil
}

// Add opens the model that is kept in a folder, or makes it of counts and an
// event model. An empty folder stands for one in Options.Dir. It reports whether
// the model had begun with other counts or another event model than these: what
// is given is then not looked at.
//
// Damage to the model's own files is no error: the model is listed as broken. An
// error is one of the arguments, [store.ErrInUse], [store.ErrUnavailable], or that
// of ctx.
func (c *Catalog) Add(ctx context.Context, name, folder string, counts *bayes.Counts, em bayes.EventModel) (other bool, err error) {
	if err := checkName(name); err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if (*c.entries.Load())[name] != nil {
		return false, fmt.Errorf("two models are called %q", name)
	}
	if folder == "" {
		if folder, err = modelFolder(c.opts.Dir, name); err != nil {
			return false, err
		}
	}
	c.removeDeleted(name, deletedName(folder))
	base, err := baseOf(counts, em)
	if err != nil {
		return false, err
	}
	ab, err := readManifest(folder)
	if errors.Is(err, fs.ErrNotExist) {
		ab, err = manifest{name, 1, base}, nil
	}
	if err == nil && ab.Name != name {
		return false, fmt.Errorf("%s: it belongs to the model %q, not %q", folder, ab.Name, name)
	}
	if err := c.add(ctx, name, folder, ab, err, counts, em); err != nil {
		return false, err
	}
	return ab.Base != base && (*c.entries.Load())[name].broken == nil, nil
}

// AddAll opens the models that are kept in Options.Dir and are not open yet. As
// for [Catalog.Add], damage to one of them makes it broken.
func (c *Catalog) AddAll(ctx context.Context) error {
	folders, err := os.ReadDir(c.opts.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range folders {
		// What a crash left of a deleted model is removed.
		folder := filepath.Join(c.opts.Dir, d.Name())
		if strings.HasPrefix(d.Name(), deletedPrefix) {
			c.removeDeleted(strings.TrimPrefix(d.Name(), deletedPrefix), folder)
			continue
		}
		// A folder or file without a model.json is none of the catalog's.
		ab, err := readManifest(folder)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		// A model.json that is damaged names no model, which is then listed as broken.
		name := ab.Name
		if err != nil {
			name = nameOf(c.opts.Dir, folder)
		}
		if (*c.entries.Load())[name] != nil {
			continue
		}
		if err := c.add(ctx, name, folder, ab, err, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// add opens a model and lists it. It is broken if its model.json could not be read,
// which err says, or its store cannot be opened. The caller holds c.mu.
func (c *Catalog) add(ctx context.Context, name, folder string, ab manifest, err error, counts *bayes.Counts, em bayes.EventModel) error {
	e := &entry{name: name, folder: folder}
	if err == nil {
		err = c.open(ctx, e, ab, counts, em)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil, errors.Is(err, store.ErrInUse), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrClosed):
		return err
	default:
		e.broken = err
		c.opts.Report(name, err)
	}
	c.put(e)
	return nil
}

// Replace makes a model of counts and an event model, in place of the one called
// name if there is one. What that had learned is gone.
//
// The error is [ErrName], [ErrShared] or [ErrNoRoom], [store.ErrClosed] after Close, or
// that of opening the new store or closing the old one.
func (c *Catalog) Replace(ctx context.Context, name string, counts *bayes.Counts, em bayes.EventModel) (replaced bool, err error) {
	if err := checkName(name); err != nil {
		return false, err
	}
	if c.opts.Log != nil {
		return false, ErrShared
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	base, err := baseOf(counts, em)
	if err != nil {
		return false, err
	}
	// A model that works goes on predicting until its next generation is open.
	e := (*c.entries.Load())[name]
	if e != nil && e.broken == nil {
		return true, c.nextGeneration(ctx, e, base, counts, em)
	}
	// Otherwise there is a new entry: in the folder of the broken one, whose generations may
	// still be there, or in a folder of its own.
	made := &entry{name: name}
	if e != nil {
		made.folder = e.folder
	} else if made.folder, err = modelFolder(c.opts.Dir, name); err != nil {
		return false, err
	}
	ab := manifest{name, lastGeneration(made.folder) + 1, base}
	if err := c.open(ctx, made, ab, counts, em); err != nil {
		return false, err
	}
	c.put(made)
	return e != nil, nil
}

// nextGeneration opens the next generation of a model, makes it the live one, and removes
// the one before.
func (c *Catalog) nextGeneration(ctx context.Context, e *entry, base string, counts *bayes.Counts, em bayes.EventModel) error {
	old := e.live.Load()
	ab := manifest{e.name, old.manifest.Generation + 1, base}
	if err := removeOthers(e.folder, old.manifest); err != nil { // what an earlier attempt left
		return err
	}
	// Learning waits meanwhile: what is acknowledged must be in the model that is live.
	e.replacing.Lock()
	defer e.replacing.Unlock()
	if err := c.open(ctx, e, ab, counts, em); err != nil {
		return err
	}
	err := old.store.Close()
	return errors.Join(err, removeOthers(e.folder, ab))
}

// Delete removes a model and all that it has learned, from the catalog and from the
// disk, and reports whether there was one. With true the error is [ErrLeft]: the
// model is gone for good all the same. Other errors are [ErrShared],
// [store.ErrClosed], or of the file system.
func (c *Catalog) Delete(name string) (deleted bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := (*c.entries.Load())[name]
	switch {
	case c.closed:
		return false, store.ErrClosed
	case c.opts.Log != nil:
		return false, ErrShared
	case e == nil:
		return false, nil
	}
	// Learning ends before the store is closed.
	e.replacing.Lock()
	defer e.replacing.Unlock()
	if l := e.live.Load(); l != nil {
		l.store.Close() // an error would be of a snapshot, which is not wanted
	}
	// With its new name the folder is no model any more, whatever happens afterwards.
	gone := deletedName(e.folder)
	if err := os.RemoveAll(gone); err != nil {
		return false, c.markBroken(e, err)
	}
	if err := atomicfile.Rename(e.folder, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, c.markBroken(e, err)
	}
	// Requests that wait with the entry see that it is deleted; later ones do not find it.
	e.deleted = true
	all := maps.Clone(*c.entries.Load())
	delete(all, name)
	c.entries.Store(&all)
	if err := os.RemoveAll(gone); err != nil {
		return true, fmt.Errorf("%w: %w", ErrLeft, err)
	}
	return true, nil
}

// markBroken lists a model whose store has been closed as broken, and returns why.
func (c *Catalog) markBroken(e *entry, err error) error {
	c.put(&entry{name: e.name, folder: e.folder, broken: err})
	return err
}

// removeDeleted removes what is left of a deleted model.
func (c *Catalog) removeDeleted(name, folder string) {
	if err := os.RemoveAll(folder); err != nil {
		c.opts.Report(name, fmt.Errorf("%w: %w", ErrLeft, err))
	}
}

// open opens the store of a generation, and makes it the live one. A new one
// begins with counts and em. A crash between two steps leaves a folder that the
// next start can open.
func (c *Catalog) open(ctx context.Context, e *entry, ab manifest, counts *bayes.Counts, em bayes.EventModel) error {
	if c.closed {
		return store.ErrClosed
	}
	kept, st, err := c.openStore(ctx, e, ab, counts, em)
	if err != nil {
		return err
	}
	// Once the store is there, model.json names it.
	if kept {
		err = c.checkKept(e, ab)
	} else {
		err = writeManifest(e.folder, ab)
	}
	if err != nil {
		return errors.Join(err, st.Close())
	}
	// Where no other generation is in use, those that a crash left are removed.
	if e.live.Load() == nil {
		if err := removeOthers(e.folder, ab); err != nil {
			c.opts.Report(e.name, fmt.Errorf("%w: %w", ErrLeft, err))
		}
	}
	known := st.Counts()
	if m := st.Model(); m != nil {
		em = m.EventModel()
	}
	e.live.Store(&liveModel{ab, st, newColumns(known, em).remembering(known.Columns()), known.Space(), newRecent(c.opts.Recent)})
	return nil
}

// openStore opens the store of a generation, and reports whether model.json names that
// generation already.
func (c *Catalog) openStore(ctx context.Context, e *entry, ab manifest, counts *bayes.Counts, em bayes.EventModel) (kept bool, st *store.Store, err error) {
	opts := c.opts.Store
	opts.Counts, opts.Model = counts, em
	if opts.Log != nil {
		opts.Log = opts.Log.With("model", e.name)
	}
	var log store.Log
	if c.opts.Log != nil {
		if log, err = c.opts.Log(ctx, e.name); err != nil {
			return false, nil, err
		}
	}
	if kept, err = isKept(e.folder, ab); err == nil {
		st, err = store.Open(ctx, generationFolder(e.folder, ab), log, &opts)
	}
	if err != nil && log != nil {
		err = errors.Join(err, log.Close())
	}
	return kept, st, err
}

// checkKept returns [store.ErrInUse] unless a generation that has been opened is still the
// model's.
func (c *Catalog) checkKept(e *entry, ab manifest) error {
	kept, err := isKept(e.folder, ab)
	if err == nil && !kept {
		err = store.ErrInUse // another process has replaced it
	}
	return err
}

// put adds an entry. The caller holds c.mu.
func (c *Catalog) put(e *entry) {
	all := maps.Clone(*c.entries.Load())
	all[e.name] = e
	c.entries.Store(&all)
}

// Close closes all stores. Each writes a snapshot. The error joins theirs.
func (c *Catalog) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var errs []error
	for name, e := range *c.entries.Load() {
		if e.broken != nil {
			continue
		}
		if err := e.live.Load().store.Close(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// folderOf returns the folder of a model, whether it exists or not.
func (c *Catalog) folderOf(name string) string {
	if e := (*c.entries.Load())[name]; e != nil {
		return e.folder
	}
	return c.opts.Dir
}
