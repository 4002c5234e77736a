// The request and the response of a command run.

import { type Static, Type } from '@sinclair/typebox'
import {
  COMMAND_KINDS,
  RUN_STATUSES,
  RUN_TARGETS,
  type RunContext,
  type RunOutcome,
} from '../../commands/command-run.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { languageField, parseBaseLanguage } from '../fields/fields.ts'
import type { Fault } from '../kernel/problem.ts'
import { dateTime, flag, listOf, strictObject, text, wholeNumber } from '../kernel/schema.ts'

const DEFAULT_TIMEOUT_MS = 30_000

const maybe = (maxLength: number, description: string) =>
  Type.Optional(nullable(text({ maxLength }), { description }))

const MAX_INSTRUCTION_CHARACTERS = 4000
const MAX_SELECTION_CHARACTERS = 50_000

const instruction = (description: string) => maybe(MAX_INSTRUCTION_CHARACTERS, description)
const selection = (description: string) => maybe(MAX_SELECTION_CHARACTERS, description)

export const RunContextSchema = strictObject(
  {
    app_name: maybe(500, 'name of the application that contains the text'),
    app_id: maybe(500, 'identifier of the application'),
    window_title: maybe(1000, 'title of the window'),
    url: maybe(4000, 'URL of the web page'),
    before: maybe(20_000, 'the text before the selection'),
    after: maybe(20_000, 'the text after the selection'),
  },
  { $id: 'CommandContext' },
)

/** Fields of a typed and of a spoken instruction. */
const shared = {
  selected_text: selection('the text to change'),
  selection: selection('another name for `selected_text`'),
  input: selection('another name for `selected_text`'),
  writing_style_id: Type.Optional(nullable(uuid(), { description: 'writing style for the language model' })),
  language: Type.Optional(
    nullable(languageField, { description: 'language of the text and of the spoken instruction' }),
  ),
  model: maybe(200, 'name of the language model; default: the one in the settings'),
  dry_run: Type.Optional(
    flag({ description: 'true does not record the run in the history', default: false }),
  ),
  timeout_ms: Type.Optional(
    wholeNumber({
      description: 'time limit for the language model; when it expires, the text stays unchanged',
      minimum: 100,
      maximum: 600_000,
      default: DEFAULT_TIMEOUT_MS,
    }),
  ),
}

export const RunRequestSchema = strictObject(
  {
    command: instruction('the instruction'),
    instruction: instruction('another name for `command`'),
    prompt: instruction('another name for `command`'),
    text: selection(
      'another name for `selected_text`, or for `command` if the request has no other instruction',
    ),
    capture_id: Type.Optional(
      nullable(uuid(), { description: 'use the transcript of this capture as the instruction' }),
    ),
    ...shared,
    context: Type.Optional(nullable(RunContextSchema)),
  },
  { $id: 'RunCommandRequest' },
)

export const RunFormSchema = strictObject({
  ...shared,
  text: selection('another name for `selected_text`'),
  context: Type.Optional(
    text({ maxLength: 100_000, description: 'the same object as in JSON, encoded as JSON text' }),
  ),
  stt_model: Type.Optional(
    text({ minLength: 1, maxLength: 100, description: 'the model that transcribes the instruction' }),
  ),
})

type RunFields = Omit<Static<typeof RunFormSchema>, 'context' | 'stt_model'>

const INSTRUCTION_NAMES = ['command', 'instruction', 'prompt'] as const
const SELECTION_NAMES = ['selected_text', 'selection', 'input'] as const

/** Without any other instruction, `text` is the instruction. In a form, the recording is. */
const isTextInstruction = (value: object, place: Fault['in']): boolean =>
  place === 'body' && given(value, [...INSTRUCTION_NAMES, 'capture_id']).length === 0

const instructionNames = (value: object): readonly string[] =>
  isTextInstruction(value, 'body') ? ['text'] : INSTRUCTION_NAMES

const selectionNames = (value: object, place: Fault['in']): readonly string[] =>
  isTextInstruction(value, place) ? SELECTION_NAMES : [...SELECTION_NAMES, 'text']

const given = (value: object, names: readonly string[]): [name: string, text: unknown][] =>
  names.flatMap((name) => {
    const found = (value as Record<string, unknown>)[name]
    return found === undefined || found === null ? [] : [[name, found] as [string, unknown]]
  })

const conflicts = (value: object, names: readonly string[], place: Fault['in']): Fault[] => {
  const [first, ...others] = given(value, names)
  return others
    .filter(([, text]) => text !== first?.[1])
    .map(([name]) => ({ in: place, path: `/${name}`, message: `must not differ from ${first?.[0]}` }))
}

/** Requires exactly one instruction, and rejects aliases with different values. */
export function checkRun(value: unknown): Fault[] {
  if (value === null || typeof value !== 'object') return []
  const faults = [...conflicts(value, INSTRUCTION_NAMES, 'body'), ...selectionConflicts(value, 'body')]
  const requested = given(value, instructionNames(value))
  const instructions = requested.length
  const captures = given(value, ['capture_id']).length
  if (instructions + captures === 0)
    faults.push({
      in: 'body',
      path: '/command',
      message: 'is required, unless capture_id or a file in a form is sent',
    })
  if (instructions > 0 && captures > 0)
    faults.push({
      in: 'body',
      path: '/capture_id',
      message: 'must not be given together with an instruction',
    })
  // The schema allows `text` the length of a selection, which is too long for an instruction.
  const [name, text] = requested[0] ?? []
  if (name === 'text' && typeof text === 'string' && text.length > MAX_INSTRUCTION_CHARACTERS)
    faults.push({
      in: 'body',
      path: '/text',
      message: `must have at most ${MAX_INSTRUCTION_CHARACTERS} characters`,
    })
  return faults
}

export const selectionConflicts = (value: object, place: Fault['in']): Fault[] =>
  conflicts(value, selectionNames(value, place), place)

const firstText = (value: object, names: readonly string[]): string => {
  const [first] = given(value, names)
  return typeof first?.[1] === 'string' ? first[1] : ''
}

export const instructionOf = (body: Static<typeof RunRequestSchema>): string =>
  firstText(body, instructionNames(body))

/** The fields that JSON and form share, with defaults. */
export const runFieldsOf = (fields: RunFields, place: 'body' | 'form') => ({
  selectedText: firstText(fields, selectionNames(fields, place)),
  language: parseBaseLanguage(fields.language ?? undefined),
  model: fields.model ? fields.model : null,
  dryRun: fields.dry_run ?? false,
  timeoutMs: fields.timeout_ms ?? DEFAULT_TIMEOUT_MS,
})

const orNull = (value: string | null | undefined): string | null => (value ? value : null)

export const contextOf = (context: Static<typeof RunContextSchema> | null | undefined): RunContext => ({
  appName: orNull(context?.app_name),
  appId: orNull(context?.app_id),
  windowTitle: orNull(context?.window_title),
  url: orNull(context?.url),
  before: orNull(context?.before),
  after: orNull(context?.after),
})

export const CommandRunSchema = strictObject(
  {
    id: uuid(),
    status: oneOf(RUN_STATUSES, { description: 'unless `succeeded`, the output equals the input' }),
    kind: oneOf(COMMAND_KINDS),
    command: strictObject({
      id: nullable(uuid(), { description: 'ID of a saved command' }),
      name: nullable(text({}), { description: 'name of the recognised command' }),
      instruction: text({}),
    }),
    input: text({}),
    output: text({}),
    changed: flag({ description: 'whether the output differs from the input' }),
    target: oneOf(RUN_TARGETS, { description: 'where to put the output; counts go to the clipboard' }),
    keys: Type.Array(text({}), {
      description:
        'keys to press after the text has been inserted: `enter`, `shift+tab`, `mod+z` (`mod` is Ctrl, or ⌘)',
    }),
    used_llm: flag({}),
    model: nullable(text({}), { description: 'name of the language model that was used' }),
    transcript: nullable(text({}), { description: 'the instruction as it was transcribed' }),
    duration_ms: wholeNumber({ minimum: 0 }),
    error: nullable(strictObject({ code: text({}), message: text({}) })),
    created_at: dateTime(),
  },
  { $id: 'CommandRun' },
)

export const CommandRunListSchema = listOf(CommandRunSchema, { $id: 'CommandRunList' })

export const commandRunExample: Static<typeof CommandRunSchema> = {
  id: '01980000-0000-7000-8000-000000000001',
  status: 'succeeded',
  kind: 'transform',
  command: { id: null, name: 'title case', instruction: 'put this in title case' },
  input: 'the lord of the rings',
  output: 'The Lord of the Rings',
  changed: true,
  target: 'replace_selection',
  keys: [],
  used_llm: false,
  model: null,
  transcript: null,
  duration_ms: 1,
  error: null,
  created_at: '2026-01-31T12:00:00.000Z',
}

export const wireRun = (run: RunOutcome): Static<typeof CommandRunSchema> => ({
  id: run.id,
  status: run.status,
  kind: run.kind,
  command: run.command,
  input: run.input,
  output: run.output,
  changed: run.changed,
  target: run.target,
  keys: run.keys,
  used_llm: run.usedLlm,
  model: run.model,
  transcript: run.transcript,
  duration_ms: run.durationMs,
  error: run.error,
  created_at: run.createdAt.toISOString(),
})
