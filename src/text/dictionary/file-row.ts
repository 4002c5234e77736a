// A row of a dictionary file before validation; its fields are named as in the API.
// Recognises the column names of other programs.

import { fail, type Result, succeed } from '../../lib/result.ts'
import { fold } from '../fold.ts'
import { DICTIONARY_LIMITS, type Entry } from './entry.ts'

export type FileRow = {
  /** first line of the row, from 1; its index in the list if the format has no lines */
  line: number
  fields: Record<string, unknown>
}

/** A longer row cannot be an entry and is not parsed. */
export const MAX_ROW_CHARACTERS = 100_000

/** A message that follows the name of the file; or a first row that may be column names, which the user must decide. */
export type ReadFailure = string | { unclearHeader: string[] }

export type ReadRows = Promise<Result<FileRow[], ReadFailure>>

/** `header`: whether the first row of a table has column names; detected if absent. */
export type ReadOptions = { header?: boolean | undefined }

/** Checked before parsing, which takes many times the memory of the file. */
export const checkCount = (count: number): Result<void, string> =>
  count <= DICTIONARY_LIMITS.entries
    ? succeed(undefined)
    : fail(`has ${count} entries; the limit is ${DICTIONARY_LIMITS.entries}`)

export const DICTIONARY_FORMATS = ['json', 'csv', 'txt'] as const
export type DictionaryFormat = (typeof DICTIONARY_FORMATS)[number]

/** In the order of the export; complete enough to restore the dictionary. */
export const fieldsOf = (entry: Entry) => ({
  type: entry.type,
  word: entry.word,
  replacement: entry.replacement,
  aliases: entry.aliases,
  language: entry.language,
  case_sensitive: entry.caseSensitive,
  whole_word: entry.wholeWord,
  is_regex: entry.isRegex,
  enabled: entry.enabled,
  priority: entry.priority,
  source: entry.source,
  usage_count: entry.usageCount,
  last_used_at: entry.lastUsedAt?.toISOString() ?? null,
  created_at: entry.createdAt.toISOString(),
})

export type FileField = keyof ReturnType<typeof fieldsOf>

const FLAGS = new Set<string>(['case_sensitive', 'whole_word', 'is_regex', 'enabled'] satisfies FileField[])
const NUMBERS = new Set<string>(['priority', 'usage_count'] satisfies FileField[])

/** Parses a value that the file holds as text; an invalid value stays text, which validation rejects. */
export function parsedValue(field: string, text: string): unknown {
  if (NUMBERS.has(field)) return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
  if (!FLAGS.has(field)) return text
  if (/^\s*(true|yes|1)\s*$/i.test(text)) return true
  return /^\s*(false|no|0)\s*$/i.test(text) ? false : text
}

type Role = 'word' | 'replacement' | 'aliases'

const list = (words: string): string[] => words.split(/\s*\|\s*/).map((word) => fold(word.trim()))

/** Names in other programs and their translations, folded: without case and accents. */
const NAMES: Record<Role, ReadonlySet<string>> = {
  word: new Set(
    list(
      'word | words | from | original | originals | find | search | spoken | spoken form | speech | said | heard | heard as | misheard | ' +
        'mistake | misspelling | typo | wrong | incorrect | before | old | input | source | trigger | shortcut | abbreviation | ' +
        'abbr | shorthand | key | pattern | match | term | terms | phrase | phrases | vocabulary | entry | pronounced | ' +
        'wort | wörter | begriff | begriffe | von | suchen | suche | suchtext | suchbegriff | suchen nach | gesprochen | gehört | gesagt | ' +
        'falsch | alt | vorher | kürzel | abkürzung | auslöser | eingabe | quelle | quelltext | ausdruck | ' +
        'mot | mots | de | rechercher | recherche | chercher | terme | faux | avant | ancien | ' +
        'palabra | buscar | término | incorrecto | antes | hablado | parola | originale | cerca | termine | da | prima | ' +
        'palavra | procurar | termo | woord | van | zoek | zoeken | słowo | слово | найти | 単語 | 原文 | 原词 | 查找 | 词语',
    ),
  ),
  replacement: new Set(
    list(
      'replacement | replacements | replace | replace with | replaced by | with | to | into | target | written | written as | ' +
        'written form | write | write as | corrected | correct | correction | corrections | right | after | new | output | ' +
        'expansion | expanded | expand | expand to | expands to | snippet | substitution | substitute | becomes | result | ' +
        'display | display as | displayas | preferred | fixed | fix | value | content | text | ' +
        'ersetzung | ersetzen | ersetzen durch | ersetze durch | ersetzt durch | ersatz | ersatztext | ersatzwort | durch | nach | zu | ' +
        'neu | richtig | geschrieben | schreibweise | korrektur | ziel | zieltext | nachher | ausgabe | inhalt | ' +
        'remplacement | remplacer | remplacer par | par | vers | à | corrigé | correct | après | nouveau | cible | ' +
        'reemplazo | reemplazar | reemplazar con | reemplazar por | por | corrección | corregido | correcto | después | destino | sustitución | ' +
        'sostituzione | sostituisci | sostituisci con | con | corretto | dopo | substituição | substituir | substituir por | para | corrigido | ' +
        'vervanging | vervangen door | vervang door | naar | door | zamiana | замена | заменить на | 置換 | 置換後 | 替换 | 替换为',
    ),
  ),
  aliases: new Set(
    list(
      'aliases | alias | variants | variant | synonyms | also | also heard as | sounds like | soundslike | sounds_like | ' +
        'misheard as | other forms | varianten | klingt wie | auch',
    ),
  ),
}

/** If one of these columns exists, the others cannot hold the replacement. */
const TELLING: ReadonlySet<string | null> = new Set(['replacement', 'aliases', 'type'])

/** Ambiguous on their own: they are just as likely to be an entry of the dictionary. */
const ORDINARY = new Set(
  list(
    'from | to | with | into | right | new | old | after | before | text | value | key | said | by | de | a | da | con | zu | von',
  ),
)

/** Names for a table with a single column of words. */
const NAMES_OF_A_LIST = new Set(
  list(
    'word | words | term | terms | phrase | phrases | vocabulary | entry | entries | begriff | begriffe | wort | wörter | mot | mots',
  ),
)

const FIELDS: Record<string, FileField> = {
  ...{ kind: 'type', typ: 'type', art: 'type', lang: 'language', locale: 'language', sprache: 'language' },
  ...{ langue: 'language', idioma: 'language', active: 'enabled', aktiv: 'enabled', is_enabled: 'enabled' },
  ...{ regex: 'is_regex', isregex: 'is_regex', regexp: 'is_regex', match_case: 'case_sensitive' },
  ...{ casesensitive: 'case_sensitive', wholeword: 'whole_word', whole_words: 'whole_word' },
  ...{ priorität: 'priority', weight: 'priority', boost: 'priority' },
}

/** Words that add nothing to a name of several words ("original text", "corrected spelling"). */
const GENERIC = new Set(
  list(
    'word | words | text | term | terms | phrase | phrases | entry | value | form | spelling | version | string | as | the | ' +
      'wort | begriff | mot | palabra',
  ),
)

export type ReadColumns = {
  /** the field of each column; null: ignored */
  fields: (string | null)[]
  /** `sure`: the first row has names; `unsure`: it may be an entry; `no`: it is an entry */
  areNames: 'sure' | 'unsure' | 'no'
}

/** Reads the first row of a table as column names. `own` are the names that our export writes. */
export function readColumns(cells: readonly string[], own: readonly FileField[]): ReadColumns {
  const names = cells.map((cell) => fold(cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).trim())
  const fields: (string | null)[] = names.map((name) => fieldNamed(name, own))
  const roles = names.map((name, at) => (fields[at] === null ? roleNamed(name) : null))
  const hasOwnWord = fields.includes('word')
  for (const role of ['word', 'replacement', 'aliases'] as const) {
    const at = hasOwnWord && role === 'word' ? -1 : roles.indexOf(role)
    if (at >= 0 && !fields.includes(role)) fields[at] = role
  }
  if (!fields.includes('word')) giveFirstOfTwo(fields, roles)
  // Beside "target", "source" is the word and not the origin of the entry.
  if (!fields.includes('word') && fields.includes('source')) fields[fields.indexOf('source')] = 'word'
  return { fields, areNames: certainty(names, fields) }
}

/** "replace" and "with" both name a replacement; the first of two such columns holds the word. */
function giveFirstOfTwo(fields: (string | null)[], roles: readonly (Role | null)[]): void {
  const [first, second] = roles.flatMap((role, at) => (role === 'replacement' ? [at] : []))
  if (first === undefined || second === undefined) return
  fields[first] = 'word'
  fields[second] = 'replacement'
}

function certainty(names: readonly string[], fields: readonly (string | null)[]): ReadColumns['areNames'] {
  const known = fields.filter((field) => field !== null)
  if (known.length === 0) return 'no'
  const isAlone = names.filter((name) => name !== '').length === 1
  if (fields.includes('word')) {
    const [name = ''] = names.filter((_, at) => fields[at] === 'word')
    if (isAlone && NAMES_OF_A_LIST.has(name)) return 'sure'
    // An unknown name may be another program's name for the replacement.
    const isWhole = names.every((one, at) => one === '' || fields[at] !== null)
    if (known.length > 1 && (isWhole || fields.some((field) => TELLING.has(field)))) return 'sure'
  }
  const isDistinct = names.some((name, at) => fields[at] !== null && !ORDINARY.has(name))
  return isDistinct ? 'unsure' : 'no'
}

function fieldNamed(name: string, own: readonly FileField[]): FileField | null {
  const key = name.replace(/[\s-]+/g, '_')
  return own.find((field) => field === key) ?? FIELDS[key] ?? null
}

const IS_REPLACED = /^(?:word|words|text|phrase|term) to (?:be )?(?:replaced?|find|change)$/

function roleNamed(name: string): Role | null {
  const spaced = name.replace(/[_\-/:.()\s]+/g, ' ').trim()
  if (IS_REPLACED.test(spaced)) return 'word'
  const whole = roleOf(spaced)
  if (whole !== null) return whole
  const roles = new Set(
    spaced
      .split(' ')
      .filter((word) => !GENERIC.has(word))
      .map(roleOf),
  )
  return roles.size === 1 ? [...roles][0]! : null
}

const roleOf = (name: string): Role | null =>
  (Object.keys(NAMES) as Role[]).find((role) => NAMES[role].has(name)) ?? null

const MAX_SAMPLE_ROWS = 50
const VALUE = /^(?:[\d.,:%TZ+-]+|true|false|yes|no|ja|nein)$/i
const IDENTIFIER = /^\p{Ll}+(?:_\p{Ll}+|\p{Lu}\p{Ll}*)+$/u
const CAPITAL = /^\p{Lu}/u
const LOWERCASE = /^\p{Ll}/u

/** Whether the first row differs from all others as unknown column names would. */
export function looksLikeNames(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = rows.slice(0, MAX_SAMPLE_ROWS)
  if (others.length < 2 || first.length < 2) return false
  const isOnly = (pattern: RegExp, at: number) => others.every((row) => pattern.test((row[at] ?? '').trim()))
  if (first.some((name, at) => name !== '' && !VALUE.test(name) && isOnly(VALUE, at))) return true
  if (first.every((name) => IDENTIFIER.test(name)))
    return !others.some((row) => IDENTIFIER.test(row[0] ?? ''))
  return first.every((name) => CAPITAL.test(name)) && isOnly(LOWERCASE, 0)
}
