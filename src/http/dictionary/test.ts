// POST /dictionary/test: what the dictionary makes of a text, and what it tells the recogniser.
// Changes nothing and counts as no use.

import { Type } from '@sinclair/typebox'
import type { Clock } from '../../lib/clock.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { inSlices, type Sliced } from '../../lib/time-slice.ts'
import type { Settings } from '../../settings/settings.ts'
import { applied } from '../../text/dictionary/apply.ts'
import { entryKey, tidyEntry } from '../../text/dictionary/check-entry.ts'
import { compiled, type Dictionary } from '../../text/dictionary/compile.ts'
import type { Entry, EntryContent } from '../../text/dictionary/entry.ts'
import { dictionaryPrompt, MAX_DROPPED } from '../../text/dictionary/prompt.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import type { TokenCounters } from '../../writing/token-counter.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { language } from '../fields/language.ts'
import type { FindsModels } from '../fields/model.ts'
import { entryContent, NewEntrySchema, wrongIn } from './schema.ts'

export type DictionaryTestDeps = {
  dictionary: TaughtDictionary
  settings: { current(): Settings }
  models: FindsModels
  tokenCounters: TokenCounters
}

/** Of the entry that is tried and not kept. */
const TRIED = '00000000-0000-0000-0000-000000000000'

export const OutcomeSchema = strictObject(
  {
    text: Type.String(),
    applied: Type.Array(strictObject({ id: uuid(), count: Type.Integer({ minimum: 1 }) }), {
      description: `entries that changed the text; ${TRIED} is the one that was sent`,
    }),
    missing: Type.Array(strictObject({ id: uuid(), placeholder: oneOf(['date', 'time', 'clipboard']) }), {
      description: 'placeholders that nothing was known for, which left nothing',
    }),
    prompt: nullable(Type.String(), { description: 'what the recogniser is told; null: nothing' }),
    prompt_tokens: Type.Integer({ minimum: 0, maximum: 224 }),
    dropped: Type.Array(strictObject({ id: uuid(), word: Type.String() }), {
      description: `terms for which the prompt has no room, the best first; at most ${MAX_DROPPED}`,
    }),
    seen: Type.Array(strictObject({ id: uuid(), count: Type.Integer({ minimum: 1 }) }), {
      description: 'terms that are in the text as they are',
    }),
    too_slow: Type.Array(uuid(), {
      description: 'patterns that took too long, and were applied to a part of the text or to none',
    }),
  },
  { $id: 'DictionaryTest' },
)

export const dictionaryTestRoute = (deps: DictionaryTestDeps, clock: Clock): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/dictionary/test',
      operationId: 'testDictionary',
      summary: 'Try the dictionary on a text',
      description:
        'As a transcript would be changed. `entry` is tried beside those that are kept, in the place of one of the same word. Nothing is kept or counted.',
      tag: 'dictionary',
      body: {
        kind: 'json',
        schema: strictObject(
          {
            text: text({ maxLength: 100_000 }),
            entry: Type.Optional(nullable(NewEntrySchema)),
            language: Type.Optional(nullable(language(), { description: 'of the text; null: not known' })),
            clipboard: Type.Optional(
              nullable(text({ maxLength: 50_000 }), { description: 'what `{{clipboard}}` stands for' }),
            ),
          },
          { $id: 'DictionaryTestRequest' },
        ),
        example: {
          text: 'it is on git hub',
          entry: { word: 'git hub', replacement: 'GitHub' },
        },
        alsoWrong: (value) => wrongIn(entryIn(value), '/entry'),
      },
      responses: {
        200: {
          description: 'What became of the text',
          content: {
            'application/json': {
              schema: OutcomeSchema,
              example: {
                text: 'it is on GitHub',
                applied: [{ id: TRIED, count: 1 }],
                missing: [],
                prompt: 'Kubernetes.',
                prompt_tokens: 5,
                dropped: [],
                seen: [],
                too_slow: [],
              },
            },
          },
        },
      },
    },
    async (_request, { body }) => {
      const { language = null, clipboard = null } = body
      const now = clock()
      const tried = body.entry ? tidyEntry(entryContent(body.entry)) : null
      const words =
        tried === null
          ? await deps.dictionary.compiled()
          : await inSlices(compiledWith(deps.dictionary.list(), tried, now))
      const made = await inSlices(applied(words, body.text, { language, clipboard, now }))
      const told = await promptFor(deps, words.entries, language)
      return Response.json({
        text: made.text,
        applied: made.applied,
        missing: made.missing,
        seen: made.seen,
        too_slow: made.givenUp,
        prompt: told.prompt,
        prompt_tokens: told.tokens,
        dropped: told.dropped,
      })
    },
  )

const entryIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'entry' in value ? value.entry : null

function* compiledWith(entries: readonly Entry[], tried: EntryContent, now: Date): Sliced<Dictionary> {
  const [key, { language }] = [entryKey(tried), tried]
  const all: Entry[] = []
  for (const entry of entries) {
    if (entry.language !== language || entryKey(entry) !== key) all.push(entry)
    yield
  }
  const uses = { usageCount: 0, lastUsedAt: null, createdAt: now, updatedAt: now }
  return yield* compiled([...all, { ...tried, ...uses, id: TRIED, source: 'manual' }])
}

/** Counted as the preferred model does; in bytes where there is none. */
async function promptFor(
  { settings, models, tokenCounters }: DictionaryTestDeps,
  entries: readonly Entry[],
  language: string | null,
) {
  const { sttModel, initialPrompt } = settings.current()
  const preferred = await models.resolve(sttModel)
  const model = preferred.ok ? preferred : await models.resolve(null)
  const countTokens = model.ok ? tokenCounters(model.value) : undefined
  return inSlices(dictionaryPrompt({ entries, language, texts: [initialPrompt], countTokens }))
}
