// Writes Chinese in the characters that were asked for, by the tables of OpenCC: simplified, or traditional as it is
// written in general, in Taiwan or in Hong Kong. Which words are said stays as it is: only their characters change.

import { once } from '../lib/once.ts'

/** OpenCC's names for what is written. */
const SCRIPTS = new Map<string, 'cn' | 't' | 'tw' | 'hk'>([
  ['zh-Hans', 'cn'],
  ['zh-Hant', 't'],
  ['zh-TW', 'tw'],
  ['zh-HK', 'hk'],
  ['yue-Hans', 'cn'],
  ['yue-Hant', 'hk'],
])

export type ScriptWriter = (text: string) => string

/** Whether a language, as it was asked for, names a script of Chinese. */
export const writesScript = (language: string): boolean => SCRIPTS.has(language)

/** @returns null for a language that names no script of Chinese */
export async function scriptWriterOf(language: string | null): Promise<ScriptWriter | null> {
  const script = SCRIPTS.get(language ?? '')
  if (script === undefined) return null
  const { simplified, traditional } = await loadTables()
  return script === 'cn' ? simplified : traditional(script)
}

/** The tables take 80 MB and part of a second: loaded when a request asks for a script. */
const loadTables = once(async () => {
  const { Converter } = await import('opencc-js')
  // Takes general traditional characters too, and more variants than `t`.
  const simplified: ScriptWriter = Converter({ from: 'tw', to: 'cn' })
  const traditional = memoized((to: 't' | 'tw' | 'hk'): ScriptWriter => {
    const convert = Converter({ from: 'cn', to })
    // The recogniser mixes scripts, inside words too, which the tables of words know in one script alone.
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
 * The same for a text in pieces, as its words are: a character may depend on those around it.
 * OpenCC's tables for characters keep the number of characters; where they did not, each piece is converted alone.
 */
export function writePieces(pieces: readonly string[], write: ScriptWriter): string[] {
  const characters = [...write(pieces.join(''))]
  const lengths = pieces.map((piece) => [...piece].length)
  if (lengths.reduce((sum, length) => sum + length, 0) !== characters.length) return pieces.map(write)
  return lengths.map((length) => characters.splice(0, length).join(''))
}
