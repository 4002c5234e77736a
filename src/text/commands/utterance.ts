// An instruction as it was said or typed, made ready for the grammar: without politeness, final marks and doubled spaces.
// Does not decide what it means.

/** Longer than any instruction; nothing longer is looked at. */
export const MAX_UTTERANCE_CHARACTERS = 4000

const POLITE_START =
  /^(?:(?:no|wait|sorry|oh|ok|okay|alright|all right|right|well|so|now|and|then|also|hey|um|uh|erm|please|kindly|just|actually|(?:can|could|would|will) (?:you|we)(?: please)?(?: help me)?|(?:i want|i need|i'd like|i would like) (?:you )?to|let's|let us|go ahead and|try to|you (?:can|could|should)|we (?:can|should)|help me(?: to)?|i want this to be)(?:[,.!…]* +|$))+/iu

const POLITE_END =
  /(?:[,.]? +(?:please|thanks|thank you|thank you very much|for me|now|right now|if you (?:can|could|would|please)|would you|will you|could you|can you|okay|ok|instead))+$/iu

/** What a recogniser writes at the end of a sentence. */
const FINAL_MARKS = /[\s.,;:!?…。！？、，]+$/u

/**
 * The readings of an utterance, likeliest first: without its politeness, and, since "now" and "please" may also be
 * what it is about, with its end. None where there is nothing to read, or too much.
 */
export function readingsOf(utterance: string): string[] {
  if (utterance.length > MAX_UTTERANCE_CHARACTERS) return []
  const plain = unquoteWhole(collapseSpaces(utterance.normalize('NFC').replace(/[\u2018\u2019]/gu, "'")))
  const whole = withoutFinalMarks(plain)
  const started = whole.replace(POLITE_START, '')
  const ended = withoutFinalMarks(started.replace(POLITE_END, ''))
  return [...new Set([ended, started])].filter((reading) => reading !== '')
}

const withoutFinalMarks = (text: string): string => text.replace(FINAL_MARKS, '')

/** Spaces inside quotation marks are meant. */
function collapseSpaces(text: string): string {
  return text
    .split(/("[^"]*"|“[^”]*”)/u)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/\s+/gu, ' ')))
    .join('')
    .trim()
}

/** A whole instruction in quotation marks is the instruction. */
const unquoteWhole = (text: string): string => /^["“]([^"“”]+)["”]$/u.exec(text)?.[1] ?? text

const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«\s?([^»]*?)\s?»|'([^']*)'|`([^`]*)`)$/u

/** The value of a slot: what stands in quotation marks as it is, anything else without marks at its ends. */
export function slotValue(spoken: string): string {
  const trimmed = spoken.trim()
  const quoted = QUOTED.exec(trimmed)
  if (quoted) return quoted.slice(1).find((inner) => inner !== undefined) ?? ''
  return trimmed.replace(/^[,;:]\s*/u, '').replace(/[,;]$/u, '')
}

/** Whether a slot was given in quotation marks, and so literally. */
export const isQuoted = (spoken: string): boolean => QUOTED.test(spoken.trim())
