// The cases of code: snake_case, camelCase, PascalCase, kebab-case, CONSTANT_CASE, dot.case, path/case.
// They work line by line, so a list of names becomes a list of identifiers.

import { lowerCase, upperCase } from './letter-case.ts'
import { mapEachLine } from './lines.ts'

const join = (separator: string, change: (word: string) => string) => (text: string) =>
  mapEachLine(text, (line) => rejoin(line, (words) => words.map(change).join(separator)))

const lower = (word: string): string => lowerCase(word)
const upper = (word: string): string => upperCase(word)
const capital = (word: string): string => upperCase(word.slice(0, 1)) + lowerCase(word.slice(1))

export const snakeCase = join('_', lower)
export const kebabCase = join('-', lower)
export const constantCase = join('_', upper)
export const dotCase = join('.', lower)
export const pathCase = join('/', lower)
export const pascalCase = join('', capital)

export const camelCase = (text: string): string =>
  mapEachLine(text, (line) =>
    rejoin(line, ([first = '', ...rest]) => lower(first) + rest.map(capital).join('')),
  )

/** kebab-case without accents, so that a URL needs no escapes. */
export const slug = (text: string): string =>
  kebabCase(
    text
      .replaceAll('ß', 'ss')
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/gu, '')
      .normalize('NFC'),
  )

/** Keeps the white space around a line, and lines without letters or digits. */
function rejoin(line: string, assemble: (words: string[]) => string): string {
  const words = partsOf(line)
  if (words.length === 0) return line
  const indent = /^\s*/u.exec(line)?.[0] ?? ''
  return indent + assemble(words)
}

/** "user's HTTPServer-name 2" splits into users, HTTP, Server, name, 2. */
function partsOf(line: string): string[] {
  const spaced = line
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
  return spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
