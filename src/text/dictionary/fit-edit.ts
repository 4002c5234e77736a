// Fits a replacement between the surrounding spaces and punctuation: no double space, no double full stop.
// It changes the range of an edit, never the characters that the user typed.

/** A range of the text, in UTF-16 code units, and its replacement. */
export type Edit = { id: string; from: number; to: number; text: string }

/** Widens the range of the edit or trims its text to fit; `previous` is the edit before it. */
export function fitEdit(text: string, edit: Edit, previous: Edit | undefined): Edit {
  const fitted = fitPunctuation(text, isAlreadyWritten(text, edit) ? { ...edit, text: '' } : edit)
  return fitSpaces(text, fitted, previous)
}

/** The recogniser often writes both the comma and the spoken word "comma". */
const isAlreadyWritten = (text: string, { from, text: mark }: Edit): boolean =>
  ONLY_PUNCTUATION.test(mark) &&
  text
    .slice(Math.max(0, from - 8), from)
    .trimEnd()
    .endsWith(mark.trim())

const SPACE = /[^\S\n]/
const CLOSES = /[\s.,;:!?…)\]}»”]/u
/** A replacement that is spoken punctuation attaches to the word before it. */
const ONLY_PUNCTUATION = /^[.,;:!?…]+\s*$/u

/** An empty replacement also removes one adjacent space; outer white space of a replacement replaces adjacent spaces. */
function fitSpaces(text: string, edit: Edit, previous: Edit | undefined): Edit {
  const [before, after] = [text[edit.from - 1], text[edit.to]]
  const isTaken = previous !== undefined && previous.to > edit.from - 1
  const spaceBefore = before !== undefined && SPACE.test(before) && !isTaken
  const spaceAfter = after !== undefined && SPACE.test(after)
  const wider = (atStart: boolean, atEnd: boolean) => ({
    ...edit,
    from: atStart && spaceBefore ? edit.from - 1 : edit.from,
    to: atEnd && spaceAfter ? edit.to + 1 : edit.to,
  })
  if (edit.text !== '')
    return wider(/^\s/.test(edit.text) || ONLY_PUNCTUATION.test(edit.text), /\s$/.test(edit.text))
  if (spaceBefore && (after === undefined || CLOSES.test(after))) return wider(true, false)
  return wider(false, before === undefined || before === '\n' || (isTaken && previous.text === ''))
}

type Mark = 'stop' | 'abbreviation' | 'question' | 'exclamation' | 'ellipsis' | 'pause'

/** A Latin full stop may belong to an abbreviation, which a comma may follow; other full stops end a sentence. */
const MARKS: Record<Mark, string> = {
  abbreviation: '.．',
  stop: '。｡۔।॥։',
  question: '?？؟',
  exclamation: '!！',
  ellipsis: '…⋯',
  pause: ',，､、،;；؛:：',
}

const markOf = (character: string | undefined): Mark | null =>
  character === undefined
    ? null
    : ((Object.keys(MARKS) as Mark[]).find((mark) => MARKS[mark].includes(character)) ?? null)

/** Punctuation that is redundant after other punctuation. */
const REDUNDANT_AFTER: Record<Mark, readonly Mark[]> = {
  abbreviation: ['abbreviation', 'stop'],
  stop: ['abbreviation', 'stop', 'pause'],
  question: ['abbreviation', 'stop', 'question'],
  exclamation: ['abbreviation', 'stop', 'exclamation'],
  ellipsis: ['abbreviation', 'stop', 'ellipsis'],
  pause: ['abbreviation', 'stop', 'pause'],
}

/** Punctuation with a combining character is part of a symbol. */
const isAlone = (text: string, at: number): boolean => !/^[\p{M}\u200d]/u.test(text.slice(at + 1, at + 3))

const CLOSING_QUOTES = /^["”’»'」』]+/u
const ENDS_IN_QUOTES = /["”’»'」』]+$/u
const ENDS_IN_SPACES = /[^\S\n]+$/

/** Removes the punctuation after the match if the punctuation of the replacement makes it redundant. */
function fitPunctuation(text: string, edit: Edit): Edit {
  const [quotes = ''] = CLOSING_QUOTES.exec(text.slice(edit.to, edit.to + 4)) ?? []
  const at = edit.to + quotes.length
  const next = isAlone(text, at) ? markOf(text[at]) : null
  if (next === null || edit.text === '') return edit
  const trimmed = { ...edit, text: edit.text.replace(ENDS_IN_SPACES, '') }
  // After a line break, a full stop would be alone on its line.
  const last = edit.text.endsWith('\n') ? 'pause' : markOf(trimmed.text.replace(ENDS_IN_QUOTES, '').at(-1))
  if (last === null || !REDUNDANT_AFTER[last].includes(next)) return quotes === '' ? trimmed : edit
  return { ...trimmed, text: trimmed.text + quotes, to: at + 1 }
}
