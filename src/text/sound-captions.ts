// Finds Whisper's captions for sounds that are not speech: [BLANK_AUDIO], (dramatic music), *sighs*, ♪.

import type { TextRange } from './text-tokens.ts'

/** Words of sound captions; within a sentence, only parentheses with such a word are captions. */
const SOUNDS =
  /\b(music|musical|singing|sings|song|instrumental|applause|applauds|clapping|claps|cheer\w*|laugh\w*|chuckl\w*|giggl\w*|sigh\w*|gasp\w*|groan\w*|grunt\w*|cough\w*|sneez\w*|snif\w*|snor\w*|breath\w*|whistl\w*|hum\w{0,4}|beep\w*|buzz\w*|ring\w*|click\w*|clack\w*|knock\w*|bang\w*|thud\w*|bark\w*|meow\w*|bird\w*|chirp\w*|growl\w*|howl\w*|engine|siren|alarm|bell|noise|static|silence|silent|inaudible|indistinct|unintelligible|speaking|foreign|crying|cries|sob\w*|scream\w*|footsteps|wind|rain|thunder|water|gun\w*|explo\w*|typing|crowd|audience|blank\w*|pause)\b/i

/** The alternatives begin with different characters, so no text makes this slow. */
const WHOLE =
  /^(?:\s|\[[^\][]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|［[^［］]*］|\*[^*]+\*|[♪♫♬♩]|[-–—.…,!?>。、，！？])+$/u
const SUNG = /[♪♫♬♩][^♪♫♬♩]*(?:[♪♫♬♩]+|$)/gu
/** Separate from words, and with letters: not `list[0]` or `2 * 3 * 4`. */
const SQUARE = /(?<![\p{L}\p{N}_])\[[^\][\d]*\p{L}[^\][\d]*\](?![\p{L}\p{N}_])/gu
const STARRED = /(?<![\p{L}\p{N}*])\*\p{L}[^*\d]*\*(?![\p{L}\p{N}*])/gu
const ROUND = /(?<![\p{L}\p{N}_])\([^()]{1,60}\)/gu

/**
 * The captions in a text, ordered, not overlapping. A text of only brackets, stars and notes is one caption, whatever
 * they contain; next to words, parentheses are a caption only if they name a sound.
 */
export function findCaptions(text: string): TextRange[] {
  if (text.trim() === '') return []
  if (WHOLE.test(text)) return [{ from: 0, to: text.length }]
  const found: TextRange[] = []
  const add = (pattern: RegExp, counts = (_match: string) => true) => {
    for (const match of text.matchAll(pattern)) {
      const range = { from: match.index, to: match.index + match[0].length }
      const taken = found.some((other) => range.from < other.to && other.from < range.to)
      if (!taken && counts(match[0])) found.push(range)
    }
  }
  add(SUNG)
  add(SQUARE)
  add(STARRED)
  add(ROUND, (match) => SOUNDS.test(match))
  return found.sort((a, b) => a.from - b.from)
}

/** Removes the ranges, and the spaces that would be doubled or left before a comma. */
export function cutRanges(text: string, ranges: TextRange[]): string {
  if (ranges.length === 0) return text
  let kept = ''
  let at = 0
  for (const { from, to } of ranges) {
    kept += `${text.slice(at, from)} `
    at = to
  }
  kept += text.slice(at)
  const tidy = kept
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:!?…])/g, '')
    .trimEnd()
  return /[\p{L}\p{N}]/u.test(tidy) ? tidy : ''
}
