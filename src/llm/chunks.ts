// Cuts a long text into chunks for a small model, at natural pauses; keeps the white space between them.

/** A chunk and the white space before it. */
export type Chunk = { before: string; text: string }

export type Chunks = { chunks: Chunk[] /** white space at the end */; after: string }

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * Chunks of at most `maxChars`: whole paragraphs if they fit, else sentences, else words. `joinChunks` restores the
 * text.
 */
export function cutIntoChunks(text: string, maxChars: number): Chunks {
  const chunks: Chunk[] = []
  let gathered = ''
  const flush = () => {
    const body = gathered.trimStart()
    if (body.trim() !== '') {
      const text = body.trimEnd()
      const before = gathered.slice(0, gathered.length - body.length)
      chunks.push({ before: spare + before, text })
      spare = body.slice(text.length)
    } else spare += gathered
    gathered = ''
  }
  let spare = ''
  for (const part of partsOf(text, maxChars)) {
    if (gathered !== '' && gathered.length + part.length > maxChars) flush()
    gathered += part
  }
  flush()
  return { chunks, after: spare }
}

export const joinChunks = ({ chunks, after }: Chunks): string =>
  chunks.map(({ before, text }) => before + text).join('') + after

/** Parts within the limit, as coarse as possible. */
function partsOf(text: string, maxChars: number): string[] {
  const cutFurther = (parts: string[], cut: (part: string) => string[]) =>
    parts.flatMap((part) => (part.length > maxChars ? cut(part) : [part]))
  const paragraphs = text.match(/[^\n]+\n*|\n+/g) ?? []
  const inSentences = cutFurther(paragraphs, (part) => segmentsOf(sentences, part))
  const inWords = cutFurther(inSentences, (part) => segmentsOf(words, part))
  return cutFurther(inWords, (part) => charactersOf(part, maxChars))
}

const segmentsOf = (segmenter: Intl.Segmenter, text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)

function charactersOf(text: string, maxChars: number): string[] {
  const parts: string[] = []
  const characters = [...text]
  for (let at = 0; at < characters.length; at += maxChars / 2)
    parts.push(characters.slice(at, at + maxChars / 2).join(''))
  return parts
}
