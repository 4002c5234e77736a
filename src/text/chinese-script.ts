// Converts Chinese text to the requested script with the tables of OpenCC: simplified, or traditional in its general,
// Taiwan or Hong Kong form. Only characters change, never words.

import { once } from '../lib/once.ts'

/** OpenCC's names of the scripts. */
const SCRIPTS = new Map<string, 'cn' | 't' | 'tw' | 'hk'>([
  ['zh-Hans', 'cn'],
  ['zh-Hant', 't'],
  ['zh-TW', 'tw'],
  ['zh-HK', 'hk'],
  ['yue-Hans', 'cn'],
  ['yue-Hant', 'hk'],
])

export type ScriptWriter = (text: string) => string

/** Whether a requested language names a script of Chinese. */
export const writesScript = (language: string): boolean => SCRIPTS.has(language)

/** @returns null for a language that names no script of Chinese */
export async function scriptWriterOf(language: string | null): Promise<ScriptWriter | null> {
  const script = SCRIPTS.get(language ?? '')
  if (script === undefined) return null
  const { simplified, traditional } = await loadTables()
  return script === 'cn' ? simplified : traditional(script)
}

/** The tables take 80 MB and a fraction of a second, so they are loaded on the first request for a script. */
const loadTables = once(async () => {
  const { Converter } = await import('opencc-js')
  // `tw` also covers general traditional characters, and more variants than `t`.
  const simplified: ScriptWriter = Converter({ from: 'tw', to: 'cn' })
  const traditional = memoized((to: 't' | 'tw' | 'hk'): ScriptWriter => {
    const convert = Converter({ from: 'cn', to })
    // The recogniser mixes scripts, even inside words, but the word tables expect one script.
    return (text) => (convert(text) === text ? text : convert(simplified(text)))
  })
  return { simplified, traditional }
})

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/**
 * Converts a text that is split into pieces, such as words: the result for a character may depend on its neighbours.
 * OpenCC normally keeps the number of characters; if it does not, each piece is converted alone.
 */
export function writePieces(pieces: readonly string[], write: ScriptWriter): string[] {
  const characters = [...write(pieces.join(''))]
  const lengths = pieces.map((piece) => [...piece].length)
  if (lengths.reduce((sum, length) => sum + length, 0) !== characters.length) return pieces.map(write)
  return lengths.map((length) => characters.splice(0, length).join(''))
}
