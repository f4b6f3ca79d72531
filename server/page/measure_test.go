package page_test

import "testing"

const labelled = "text,label\nfree money,spam\nlunch,ham\n\"see you, win money\",ham\nfree lunch at noon,ham\n"

// A file with labels is measured, and its least certain rows are corrected.
func TestMeasure(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("file")
	u.upload("held-out.csv", labelled)
	u.sees("#view-file .figures", "75.0%")
	u.sees(".confusion", "spam")
	u.sees("#view-file .review .num", "4 to go")
	u.sees("#view-file .review", "in the file")
	u.press("1")
	u.sees("#count-documents", "5")
	u.sees("#view-file .review .num", "3 to go")
	eval[bool](u, `document.querySelector('[data-act=report]').click(), true`)
	u.wait("the report was asked for", `performance.getEntriesByType('resource').some(r => r.name.includes('report=true') && r.responseEnd > 0)`)
	u.Clean(t, s.address())
}

// A table trains a model, which is tried and deleted; it is asked before.
func TestModels(t *testing.T) {
	u, s := visit(t, "mail")
	u.see("models")
	u.give("#table", "어휘.csv", "날짜,내용,분류\n1,정말 재미있는 영화,긍정\n2,지루한 시간 낭비,부정\n3,아주 재미있는 배우,긍정\n")
	u.wait("the columns are guessed", `['none', 'text', 'label'].every((r, i) => document.querySelector('#role-' + i)?.value === r)`)
	eval[bool](u, `(e => { e.value = 'mail'; return e.dispatchEvent(new Event('input')) })(document.querySelector('#new-name'))`)
	u.sees("#train-problem", "already")
	u.wait("the language is guessed", `document.querySelector('#new-language').value === 'ko'`) // this server has no dictionary of it
	eval[bool](u, `(e => { e.value = ''; return e.dispatchEvent(new Event('change')) })(document.querySelector('#new-language'))`)
	eval[bool](u, `(e => { e.value = 'films'; e.dispatchEvent(new Event('input')); e.form.requestSubmit(); return true })(document.querySelector('#new-name'))`)
	u.sees(".made", "films has learned 3 examples of 2 classes")
	u.wait("it is chosen", `document.querySelector('#model').value === 'films'`)
	u.sees("#count-documents", "3")
	u.see("text")
	u.write("재미있는 시간")
	u.sees(".verdict", "긍정")

	u.see("models")
	eval[bool](u, `document.querySelector('tr[data-model=films] button').click(), true`)
	u.sees("dialog", "Delete the model films?")
	u.Picture(t, "delete")
	u.press("\x1b")
	u.wait("it is not asked any more", `document.querySelector('dialog') === null`)
	eval[bool](u, `document.querySelector('tr[data-model=films] button').click(), true`)
	eval[bool](u, `document.querySelector('dialog [data-act=delete]').click(), true`)
	u.wait("it is gone", `!document.querySelector('tr[data-model=films]') && ![...document.querySelector('#model').options].some(o => o.value === 'films')`)
	u.hidden("dialog")
	if s.catalog.Store("films") != nil {
		t.Error("the model is still there")
	}
	u.Clean(t, s.address())
}
