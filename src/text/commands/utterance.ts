// Prepares an instruction for the grammar: removes polite words, final punctuation and doubled spaces.

/** Longer utterances are not matched. */
export const MAX_UTTERANCE_CHARACTERS = 4000

const POLITE_START =
  /^(?:(?:no|wait|sorry|oh|ok|okay|alright|all right|right|well|so|now|and|then|also|hey|um|uh|erm|please|kindly|just|actually|(?:can|could|would|will) (?:you|we)(?: please)?(?: help me)?|(?:i want|i need|i'd like|i would like) (?:you )?to|let's|let us|go ahead and|try to|you (?:can|could|should)|we (?:can|should)|help me(?: to)?|i want this to be)(?:[,.!…]* +|$))+/iu

const POLITE_END =
  /(?:[,.]? +(?:please|thanks|thank you|thank you very much|for me|now|right now|if you (?:can|could|would|please)|would you|will you|could you|can you|okay|ok|instead))+$/iu

/** Punctuation that a recogniser writes at the end of a sentence. */
const FINAL_PUNCTUATION = /[\s.,;:!?…。！？、，]+$/u

/**
 * The readings of an utterance, most likely first: without polite words, and with those at its end, since "now" and
 * "please" may be part of the instruction. Empty if the utterance is empty or too long.
 */
export function readingsOf(utterance: string): string[] {
  if (utterance.length > MAX_UTTERANCE_CHARACTERS) return []
  const plain = unquoteWhole(collapseSpaces(utterance.normalize('NFC').replace(/[\u2018\u2019]/gu, "'")))
  const whole = withoutFinalPunctuation(plain)
  const started = whole.replace(POLITE_START, '')
  const ended = withoutFinalPunctuation(started.replace(POLITE_END, ''))
  return [...new Set([ended, started])].filter((reading) => reading !== '')
}

const withoutFinalPunctuation = (text: string): string => text.replace(FINAL_PUNCTUATION, '')

/** Spaces inside quotation marks are intended. */
function collapseSpaces(text: string): string {
  return text
    .split(/("[^"]*"|“[^”]*”)/u)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/\s+/gu, ' ')))
    .join('')
    .trim()
}

/** Removes quotation marks around the whole instruction. */
const unquoteWhole = (text: string): string => /^["“]([^"“”]+)["”]$/u.exec(text)?.[1] ?? text
