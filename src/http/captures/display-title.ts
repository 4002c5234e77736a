import type { Capture } from '../../captures/capture.ts'
import { firstCharacters } from '../../lib/shorten.ts'

type Texts = Pick<Capture, 'transcriptRefined' | 'transcriptRaw'>

/** The text to use. */
export const textOf = ({ transcriptRefined, transcriptRaw }: Texts): string =>
  transcriptRefined ?? transcriptRaw

const TITLE_WORDS = 8
/** For scripts without spaces, where a whole transcript is one word. */
const TITLE_CHARACTERS = 120

/** The title set by the user; else the file's name, else the first words. */
export function titleOf(capture: Texts & Pick<Capture, 'title' | 'fileName'>): string {
  const words = textOf(capture).split(/\s+/, TITLE_WORDS + 1)
  const few = words.slice(0, TITLE_WORDS).join(' ')
  const first = firstCharacters(few, TITLE_CHARACTERS)
  const isAll = words.length <= TITLE_WORDS && first === few
  return capture.title ?? capture.fileName ?? (isAll ? first : `${first} …`)
}
