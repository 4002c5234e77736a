// Fits a replacement between the spaces and the punctuation around it: no double space, no double full stop.
// Changes what an edit covers, never the letters that a person typed. Finding the edits is find-edits.ts.

/** One part of the text, in UTF-16 code units, and what stands there afterwards. */
export type Edit = { id: string; from: number; to: number; text: string }

/** The edit, wider or narrower by what meets it; `previous` is the edit before it. */
export function fitEdit(text: string, edit: Edit, previous: Edit | undefined): Edit {
  return fitSpaces(text, fitMarks(text, isSaidAlready(text, edit) ? { ...edit, text: '' } : edit), previous)
}

/** The recogniser often writes the comma that was spoken, and the word beside it. */
const isSaidAlready = (text: string, { from, text: mark }: Edit): boolean =>
  ONLY_MARKS.test(mark) &&
  text
    .slice(Math.max(0, from - 8), from)
    .trimEnd()
    .endsWith(mark.trim())

const SPACE = /[^\S\n]/
const CLOSES = /[\s.,;:!?…)\]}»”]/u
/** A replacement that is spoken punctuation: it belongs to the word before it. */
const ONLY_MARKS = /^[.,;:!?…]+\s*$/u

/** What leaves nothing takes one of the spaces around it along, and white space those that it touches. */
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
    return wider(/^\s/.test(edit.text) || ONLY_MARKS.test(edit.text), /\s$/.test(edit.text))
  if (spaceBefore && (after === undefined || CLOSES.test(after))) return wider(true, false)
  return wider(false, before === undefined || before === '\n' || (isTaken && previous.text === ''))
}

type Mark = 'stop' | 'abbreviation' | 'question' | 'exclamation' | 'ellipsis' | 'pause'

/** A Latin full stop may belong to an abbreviation, which a comma may follow; the others end a sentence. */
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

/** The marks that add nothing to one before them. */
const REDUNDANT_AFTER: Record<Mark, readonly Mark[]> = {
  abbreviation: ['abbreviation', 'stop'],
  stop: ['abbreviation', 'stop', 'pause'],
  question: ['abbreviation', 'stop', 'question'],
  exclamation: ['abbreviation', 'stop', 'exclamation'],
  ellipsis: ['abbreviation', 'stop', 'ellipsis'],
  pause: ['abbreviation', 'stop', 'pause'],
}

/** A mark on which a letter is built is part of a symbol. */
const isAlone = (text: string, at: number): boolean => !/^[\p{M}\u200d]/u.test(text.slice(at + 1, at + 3))

const CLOSING_QUOTES = /^["”’»'」』]+/u
const ENDS_IN_QUOTES = /["”’»'」』]+$/u
const ENDS_IN_SPACES = /[^\S\n]+$/

/** Takes the mark behind the match along where the replacement's own makes it redundant. */
function fitMarks(text: string, edit: Edit): Edit {
  const [quotes = ''] = CLOSING_QUOTES.exec(text.slice(edit.to, edit.to + 4)) ?? []
  const at = edit.to + quotes.length
  const next = isAlone(text, at) ? markOf(text[at]) : null
  if (next === null || edit.text === '') return edit
  const trimmed = { ...edit, text: edit.text.replace(ENDS_IN_SPACES, '') }
  // On a line of its own a full stop would stand alone.
  const last = edit.text.endsWith('\n') ? 'pause' : markOf(trimmed.text.replace(ENDS_IN_QUOTES, '').at(-1))
  if (last === null || !REDUNDANT_AFTER[last].includes(next)) return quotes === '' ? trimmed : edit
  return { ...trimmed, text: trimmed.text + quotes, to: at + 1 }
}
