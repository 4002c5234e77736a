// The tables of the library (dictionary, writing styles, saved commands, settings), and the history of commands.

import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from './schema.ts'

const usage = {
  usageCount: integer('usage_count').notNull(),
  lastUsedAt: moment('last_used_at'),
}

const dates = {
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
}

export const dictionaryEntries = pgTable(
  'dictionary_entries',
  {
    id: uuid('id').primaryKey(),
    type: text('type', { enum: ['term', 'replacement', 'snippet', 'omit'] }).notNull(),
    word: text('word').notNull(),
    /** the word in the form in which entries are compared: case removed */
    folded: text('folded').notNull(),
    replacement: text('replacement'),
    aliases: jsonb('aliases').$type<string[]>().notNull(),
    caseSensitive: boolean('case_sensitive').notNull(),
    wholeWord: boolean('whole_word').notNull(),
    isRegex: boolean('is_regex').notNull(),
    enabled: boolean('enabled').notNull(),
    language: text('language'),
    priority: integer('priority').notNull(),
    source: text('source', { enum: ['manual', 'import', 'learned'] }).notNull(),
    ...usage,
    ...dates,
  },
  (table) => [
    uniqueIndex('dictionary_entries_word').on(table.folded, sql`coalesce(${table.language}, '')`),
    index('dictionary_entries_newest').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
  ],
)

export type StoredStyleRules = {
  removeFillers: boolean
  capitalize: 'sentence' | 'none' | 'lower'
  trailingPeriod: 'keep' | 'add' | 'strip'
  trailingSpace: boolean
  spokenPunctuation: boolean
  numbers: 'words' | 'digits'
  paragraphs: boolean
}

export const writingStyles = pgTable(
  'writing_styles',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** the name in the form in which names are compared: case and accents removed */
    foldedName: text('folded_name').notNull(),
    description: text('description').notNull(),
    kind: text('kind', { enum: ['builtin', 'custom'] }).notNull(),
    tone: text('tone', { enum: ['neutral', 'formal', 'casual', 'very_casual', 'verbatim'] }).notNull(),
    instructions: text('instructions').notNull(),
    examples: jsonb('examples').$type<{ input: string; output: string }[]>().notNull(),
    smartCleanup: boolean('smart_cleanup'),
    selfCorrection: boolean('self_correction'),
    preserveTechnical: boolean('preserve_technical'),
    useLlm: boolean('use_llm').notNull(),
    rules: jsonb('rules').$type<StoredStyleRules>().notNull(),
    appCategories: jsonb('app_categories').$type<string[]>().notNull(),
    apps: jsonb('apps').$type<string[]>().notNull(),
    urlPatterns: jsonb('url_patterns').$type<string[]>().notNull(),
    language: text('language'),
    sttModel: text('stt_model'),
    llmModel: text('llm_model'),
    enabled: boolean('enabled').notNull(),
    isDefault: boolean('is_default').notNull(),
    priority: integer('priority').notNull(),
    ...usage,
    ...dates,
  },
  (table) => [
    uniqueIndex('writing_styles_name').on(table.foldedName),
    // At most one default, under any race.
    uniqueIndex('writing_styles_default').on(table.isDefault).where(sql`is_default`),
  ],
)

export const savedCommands = pgTable(
  'saved_commands',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** the name in the form in which names are compared: case and accents removed */
    foldedName: text('folded_name').notNull(),
    triggers: jsonb('triggers').$type<string[]>().notNull(),
    instructions: text('instructions'),
    steps: jsonb('steps').$type<string[]>(),
    ...usage,
    ...dates,
  },
  (table) => [uniqueIndex('saved_commands_name').on(table.foldedName)],
)

/** The effect of a command; `outcome` is the response. */
export const commandRuns = pgTable(
  'command_runs',
  {
    id: uuid('id').primaryKey(),
    /** the sequence number of the run */
    number: bigint('number', { mode: 'number' }).notNull(),
    outcome: jsonb('outcome').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('command_runs_newest').on(table.number.desc().nullsFirst())],
)

/** The only row: the settings, the webhook's key, and the state of the readable copy (library.json). */
export const library = pgTable(
  'library',
  {
    id: integer('id').primaryKey(),
    /** increases with every change of the dictionary, writing styles, saved commands, settings or webhook key */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    /** the revision in the copy; null until this database has written its first copy */
    copiedRevision: bigint('copied_revision', { mode: 'number' }),
    /** row counts of the three tables at this revision: a table that lost a page looks like one with fewer rows */
    rows: integer('rows').notNull(),
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    webhookKey: text('webhook_key'),
  },
  (table) => [check('library_one_row', sql`${table.id} = 1`)],
)

export type LibraryRow = typeof library.$inferSelect
export type DictionaryRow = typeof dictionaryEntries.$inferSelect
export type WritingStyleRow = typeof writingStyles.$inferSelect
export type SavedCommandRow = typeof savedCommands.$inferSelect
export type CommandRunRow = typeof commandRuns.$inferSelect
