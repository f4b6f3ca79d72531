package prefetch

//go:generate go run -C ../asm ./prefetch -out ../prefetch/prefetch_amd64.s

const assembled = true

//go:noescape
func prefetch(list *byte, size, n int, numbers []uint32)

//go:noescape
func prefetchFirst(lists *[]byte, n int)

//go:noescape
func prefetchLines(from *byte, bytes int)
