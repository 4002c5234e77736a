// POST /dictionary/test: applies the dictionary to a text without storing or counting anything. Not a test file.

import { Type } from '@sinclair/typebox'
import type { Clock } from '../../lib/clock.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import type { Settings } from '../../settings/settings.ts'
import { applied } from '../../text/dictionary/apply.ts'
import { tidyEntry } from '../../text/dictionary/check-entry.ts'
import { compiled, type Dictionary } from '../../text/dictionary/compile.ts'
import type { Entry, EntryContent } from '../../text/dictionary/entry.ts'
import { dictionaryPrompt, MAX_DROPPED } from '../../text/dictionary/prompt.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { identityOf } from '../../writing/dictionary-import.ts'
import type { TokenCounters } from '../../writing/token-counter.ts'
import { type FindsModels, language } from '../fields/fields.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { strictObject, text } from '../kernel/schema.ts'
import { checkEntryBody, entryContent, NewEntrySchema } from './schema.ts'

export type DictionaryTestDeps = {
  dictionary: TaughtDictionary
  settings: { current(): Settings }
  models: FindsModels
  tokenCounters: TokenCounters
}

/** Id of the entry in the request, which is not stored. */
const TRIED = '00000000-0000-0000-0000-000000000000'

export const OutcomeSchema = strictObject(
  {
    text: Type.String(),
    applied: Type.Array(strictObject({ id: uuid(), count: Type.Integer({ minimum: 1 }) }), {
      description: `entries that changed the text; ${TRIED} is the entry in the request`,
    }),
    missing: Type.Array(strictObject({ id: uuid(), placeholder: oneOf(['date', 'time', 'clipboard']) }), {
      description: 'placeholders without a value, which were replaced with an empty text',
    }),
    prompt: nullable(Type.String(), { description: 'the prompt for the recogniser; null: none' }),
    prompt_tokens: Type.Integer({ minimum: 0, maximum: 224 }),
    dropped: Type.Array(strictObject({ id: uuid(), word: Type.String() }), {
      description: `terms that did not fit into the prompt, most important first; at most ${MAX_DROPPED}`,
    }),
    seen: Type.Array(strictObject({ id: uuid(), count: Type.Integer({ minimum: 1 }) }), {
      description: 'terms that occur in the text in exactly this form',
    }),
    too_slow: Type.Array(uuid(), {
      description: 'patterns that took too long and were applied to only part of the text, or not at all',
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
        'Changes the text in the same way as a transcript. `entry` is used in addition to the stored entries and replaces one with the same word. Nothing is stored or counted.',
      tag: 'dictionary',
      body: {
        kind: 'json',
        schema: strictObject(
          {
            text: text({ maxLength: 100_000 }),
            entry: Type.Optional(nullable(NewEntrySchema)),
            language: Type.Optional(
              nullable(language(), { description: 'language of the text; null: unknown' }),
            ),
            clipboard: Type.Optional(
              nullable(text({ maxLength: 50_000 }), { description: 'value of `{{clipboard}}`' }),
            ),
          },
          { $id: 'DictionaryTestRequest' },
        ),
        example: {
          text: 'it is on git hub',
          entry: { word: 'git hub', replacement: 'GitHub' },
        },
        validate: (value) => checkEntryBody(entryIn(value), '/entry'),
      },
      responses: ok(
        'The resulting text',
        jsonContent(OutcomeSchema, {
          text: 'it is on GitHub',
          applied: [{ id: TRIED, count: 1 }],
          missing: [],
          prompt: 'Kubernetes.',
          prompt_tokens: 5,
          dropped: [],
          seen: [],
          too_slow: [],
        }),
      ),
    },
    async (_request, { body }) => {
      const { language = null, clipboard = null } = body
      const now = clock()
      const tried = body.entry ? tidyEntry(entryContent(body.entry)) : null
      const words = await (tried === null
        ? deps.dictionary.compiled()
        : compiledWith(deps.dictionary.list(), tried, now))
      const result = await applied(words, body.text, { language, clipboard, now })
      const prompted = await promptFor(deps, words.entries, language)
      return Response.json({
        text: result.text,
        applied: result.applied,
        missing: result.missing,
        seen: result.seen,
        too_slow: result.givenUp,
        prompt: prompted.prompt,
        prompt_tokens: prompted.tokens,
        dropped: prompted.dropped,
      })
    },
  )

const entryIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'entry' in value ? value.entry : null

function compiledWith(entries: readonly Entry[], tried: EntryContent, now: Date): Promise<Dictionary> {
  const identity = identityOf(tried)
  const others = entries.filter((entry) => identityOf(entry) !== identity)
  const uses = { usageCount: 0, lastUsedAt: null, createdAt: now, updatedAt: now }
  return compiled([...others, { ...tried, ...uses, id: TRIED, source: 'manual' }])
}

/** Counts tokens with the preferred model's tokenizer, or bytes if no model is available. */
async function promptFor(
  { settings, models, tokenCounters }: DictionaryTestDeps,
  entries: readonly Entry[],
  language: string | null,
) {
  const { sttModel, initialPrompt } = settings.current()
  const preferred = await models.resolve(sttModel)
  const model = preferred.ok ? preferred : await models.resolve(null)
  const countTokens = model.ok ? tokenCounters(model.value) : undefined
  return dictionaryPrompt({ entries, language, texts: [initialPrompt], countTokens })
}
