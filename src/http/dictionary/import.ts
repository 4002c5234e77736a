import { type Static, Type } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { wireName } from '../../lib/schema-mapping.ts'
import { firstCharacters } from '../../lib/shorten.ts'
import { createPause, nextTurn } from '../../lib/time-slice.ts'
import { DICTIONARY_LIMITS } from '../../text/dictionary/entry.ts'
import {
  DICTIONARY_FORMATS,
  type DictionaryFormat,
  type FileRow,
  type ReadFailure,
} from '../../text/dictionary/file-row.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { IMPORT_MODES, type ImportChange, type ImportItem } from '../../writing/dictionary-import.ts'
import { NO_MOMENT, parseMoment, ticketInQuery } from '../fields/fields.ts'
import { createChecker } from '../kernel/input.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { flag, strictObject } from '../kernel/schema.ts'
import { contentDisposition } from '../server/file-response.ts'
import {
  DictionaryEntrySchema,
  entryContent,
  FILE_EXAMPLES,
  FILE_FORMATS,
  ImportedEntrySchema,
  problemOfEntry,
} from './schema.ts'

const MAX_IMPORT_BYTES = 16 * 1024 * 1024

/** Bounds the size of the response. */
const MAX_ERRORS = 1000
const MAX_CHANGES = 1000

const { type, word, replacement, aliases, language } = DictionaryEntrySchema.properties
const previewed = { type, word, replacement, aliases, language }

const ImportOutcomeSchema = strictObject(
  {
    imported: Type.Integer({ minimum: 0, description: 'new entries' }),
    updated: Type.Integer({ minimum: 0, description: 'changed entries' }),
    skipped: Type.Integer({
      minimum: 0,
      description: 'entries that already exist unchanged, or that occur again further down in the file',
    }),
    dry_run: Type.Optional(
      Type.Literal(true, { description: 'present after a dry run: nothing was changed' }),
    ),
    removed: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'only in a dry run with `mode=replace`: entries that are not in the file',
      }),
    ),
    changes: Type.Optional(
      Type.Array(
        strictObject({
          change: oneOf(['added', 'updated'] as const),
          entry: strictObject(previewed, { description: 'the entry after the import' }),
        }),
        { description: `only in a dry run: what would change; at most ${MAX_CHANGES}` },
      ),
    ),
    errors: Type.Array(
      strictObject({
        line: Type.Integer({ minimum: 1, description: 'line in the file; for JSON, position in the list' }),
        field: Type.String({ description: 'the invalid field; empty if the entry as a whole is invalid' }),
        message: Type.String(),
      }),
      { description: `the entries that were skipped, with reasons; at most ${MAX_ERRORS}` },
    ),
  },
  { $id: 'DictionaryImport' },
)

type ImportError = Static<typeof ImportOutcomeSchema>['errors'][number]

export const importDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'POST',
      path: '/dictionary/import',
      operationId: 'importDictionary',
      summary: 'Import entries',
      description:
        'The import is atomic. `merge` adds and updates entries; invalid lines are skipped and reported in `errors`. `replace` makes the file the whole dictionary and is rejected if any line is invalid. An entry is identified by its word, ignoring case, and its language. Omitted fields get the defaults of a new entry. Unknown columns and keys are ignored. The first row of a CSV file counts as a header if it contains column names of this server or of another program (`from,to`, `original,replacement`, `find,replace`, …). If that is unclear, the file is rejected until `header` is given. In a file, an entry of type `replacement` with an empty replacement becomes `omit`; without a type it becomes a term. With `dry_run=true` nothing changes, and `changes` lists what would change. In CSV, the apostrophe before a text that a spreadsheet would interpret as a formula is removed. ' +
        `A file with more than ${DICTIONARY_LIMITS.entries} entries is rejected before it is parsed.`,
      tag: 'dictionary',
      query: strictObject({
        mode: Type.Optional(oneOf(IMPORT_MODES, { default: 'merge' })),
        dry_run: Type.Optional(
          flag({ description: 'only report what the import would change', default: false }),
        ),
        header: Type.Optional(
          flag({
            description: 'CSV only: whether the first row contains the column names; default: detected',
          }),
        ),
        format: Type.Optional(
          oneOf(DICTIONARY_FORMATS, {
            description: 'format of the body, if its Content-Type does not state it',
          }),
        ),
      }),
      body: {
        kind: 'text',
        forms: {
          'text/plain': {
            description: 'one entry per line: `word | alias => replacement ;; key=value`',
            example: FILE_EXAMPLES.txt,
          },
          'text/csv': {
            description:
              'columns as in the export, at least `word`; or two columns, words and their replacements',
            example: FILE_EXAMPLES.csv,
          },
          'text/tab-separated-values': {
            description: 'like CSV, with tabs',
            example: FILE_EXAMPLES.csv.replaceAll(',', '\t'),
          },
          'application/json': {
            description: 'JSON: `{"entries": […]}` or a bare list',
            example: FILE_EXAMPLES.json,
          },
        },
        maxBytes: MAX_IMPORT_BYTES,
      },
      responses: ok(
        'The result of the import',
        jsonContent(ImportOutcomeSchema, {
          imported: 2,
          updated: 0,
          skipped: 1,
          errors: [{ line: 4, field: 'word', message: 'must not be empty' }],
        }),
      ),
      problems: ['malformed_json', 'disk_full', 'database_unavailable'],
    },
    async (request, { query, body }) => {
      const { mode = 'merge', dry_run: isDryRun = false, header } = query
      const format = query.format ?? formatOf(request)
      const rows = await FILE_FORMATS[format].read(body, { header })
      if (!rows.ok) return problemResponse(unreadable(format, rows.failure))
      const { items, errors } = await itemsIn(rows.value)
      if (mode === 'replace' && errors.length > 0)
        return problemResponse(invalidRequest(errors.slice(0, 50).map(faultOf)))
      const outcome = await dictionary.import(items, mode, { isDryRun })
      if (!outcome.ok) return problemResponse(problemOfEntry(outcome.failure))
      const { faults, changes, removed, ...counts } = outcome.value
      const all = [...errors, ...faults.map((fault) => ({ ...fault, field: wireName(fault.field) }))]
      const shownErrors = all.sort((one, other) => one.line - other.line).slice(0, MAX_ERRORS)
      const preview = { dry_run: true, removed, changes: changes.slice(0, MAX_CHANGES).map(previewOf) }
      return Response.json({ ...counts, ...(isDryRun && preview), errors: shownErrors })
    },
  )

function previewOf({ change, entry }: ImportChange) {
  const { type, word, replacement, aliases, language } = entry
  return { change, entry: { type, word, replacement, aliases, language } }
}

function formatOf(request: Request): DictionaryFormat {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'text/tab-separated-values') return 'csv'
  return DICTIONARY_FORMATS.find((format) => FILE_FORMATS[format].mediaType === type) ?? 'txt'
}

function unreadable(format: DictionaryFormat, failure: ReadFailure): Problem {
  if (typeof failure !== 'string') return invalidRequest([unclearHeader(failure.unclearHeader)])
  return format === 'json' && failure === 'is not valid JSON'
    ? { code: 'malformed_json', detail: 'The body is not valid JSON.' }
    : invalidRequest([{ in: 'body', path: '', message: failure }])
}

function unclearHeader(cells: readonly string[]): Fault {
  const row = cells.slice(0, 4).map((cell) => `"${firstCharacters(cell, 40)}"`)
  return {
    in: 'query',
    path: '/header',
    message: `is needed: the first row (${row.join(', ')}) may contain column names or an entry. Send header=true for column names, header=false for an entry`,
  }
}

const faultOf = ({ line, field, message }: ImportError): Fault => ({
  in: 'body',
  path: '',
  message: `is invalid in line ${line}: ${field} ${message}`,
})

const checkImported = createChecker(ImportedEntrySchema, 'body')

async function itemsIn(rows: readonly FileRow[]) {
  const pause = createPause()
  const items: ImportItem[] = []
  const errors: ImportError[] = []
  for (const { line, fields } of rows) {
    const item = itemOf(line, fields)
    if (item.ok) items.push(item.value)
    else if (errors.length < MAX_ERRORS) errors.push(...item.failure)
    await pause()
  }
  return { items, errors }
}

function itemOf(line: number, fields: Record<string, unknown>): Result<ImportItem, ImportError[]> {
  const checked = checkImported(fields)
  if (!checked.ok)
    return fail(checked.failure.map(({ path, message }) => ({ line, field: path.slice(1), message })))
  const { usage_count, last_used_at, created_at, source } = checked.value
  const [lastUsedAt, createdAt] = [last_used_at, created_at].map((text) => text && parseMoment(text))
  if (lastUsedAt === null && last_used_at !== null)
    return fail([{ line, field: 'last_used_at', message: NO_MOMENT }])
  if (createdAt === null) return fail([{ line, field: 'created_at', message: NO_MOMENT }])
  return succeed({
    ...entryContent(checked.value),
    line,
    ...(source && { source }),
    ...(usage_count !== undefined && { usageCount: usage_count }),
    ...(lastUsedAt && { lastUsedAt }),
    ...(createdAt && { createdAt }),
  })
}

export const exportDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'GET',
      path: '/dictionary/export',
      operationId: 'exportDictionary',
      summary: 'Download the dictionary',
      description:
        'Oldest first. Every format can be imported again and contains everything except the ids. In CSV, a text that a spreadsheet would interpret as a formula is prefixed with an apostrophe.',
      tag: 'dictionary',
      query: strictObject({
        format: Type.Optional(oneOf(DICTIONARY_FORMATS, { default: 'json' })),
        ticket: ticketInQuery,
      }),
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': 'suggested file name' },
          content: {
            'application/json': {
              schema: strictObject(
                {
                  entries: Type.Array(
                    Type.Object({ ...ImportedEntrySchema.properties }, { additionalProperties: false }),
                  ),
                },
                { $id: 'DictionaryFile' },
              ),
              example: { entries: [{ type: 'term', word: 'Kubernetes' }] },
            },
            'text/csv': { example: FILE_EXAMPLES.csv },
            'text/plain': { example: FILE_EXAMPLES.txt },
          },
        },
      },
    },
    (_request, { query: { format = 'json' } }) => {
      const { mediaType, write } = FILE_FORMATS[format]
      return new Response(streamOf(write(dictionary.list())), {
        headers: {
          'content-type': `${mediaType}; charset=utf-8`,
          'content-disposition': contentDisposition(`dictionary.${format}`),
        },
      })
    },
  )

/** Size of a chunk of the response. */
const PIECE_CHARACTERS = 64 * 1024

function streamOf(texts: Generator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      let piece = ''
      while (piece.length < PIECE_CHARACTERS) {
        const next = texts.next()
        if (next.done) break
        piece += next.value
      }
      if (piece === '') return controller.close()
      controller.enqueue(encoder.encode(piece))
      await nextTurn()
    },
  })
}
