import type { Static } from '@sinclair/typebox'
import { captureNotFound } from '../../captures/capture.ts'
import type { Captures } from '../../captures/captures.ts'
import type { RunRequest } from '../../commands/command-run.ts'
import type { Commands } from '../../commands/commands.ts'
import type { Dictation } from '../../dictation/dictation.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import {
  checkModelInForm,
  type FindsModels,
  languageOrDefault,
  parseLanguage,
  styleFault,
} from '../fields/fields.ts'
import type { Connection } from '../kernel/connection.ts'
import { type FormStage, formFields } from '../kernel/form.ts'
import { createChecker, mergeProblems } from '../kernel/input.ts'
import { type Fault, failureResponse, invalidRequest, type Problem } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type Route } from '../kernel/route.ts'
import { type RecordingDeps, withTempAudio } from '../recording/receive.ts'
import {
  CommandRunSchema,
  checkRun,
  commandRunExample,
  contextOf,
  instructionOf,
  RunContextSchema,
  RunFormSchema,
  RunRequestSchema,
  runFieldsOf,
  selectionConflicts,
  wireRun,
} from './run-schema.ts'

export type RunCommandDeps = RecordingDeps & {
  commands: Pick<Commands, 'run'>
  captures: Pick<Captures, 'get'>
  styles: Pick<WritingStyles, 'get'>
  models: FindsModels
  dictation: Dictation
  settings: Pick<SettingsStore, 'current'>
  /** aborts the transcription and the request to the language model */
  shutdown: AbortSignal
}

const DESCRIPTION = `The whole instruction must be a command: a command inside longer speech counts as dictation and does nothing.
The server tries actions (\`keys\`) first, then built-in text transforms, then saved commands, then the language model if
one is configured. The response is 200 even if nothing was done; \`status\` then states the reason, and \`output\` equals the
input. The server runs, opens and writes nothing on this computer.

In a form, \`file\` is the spoken instruction. In JSON, exactly one of \`command\` and \`capture_id\` is the instruction. \`text\`
is the selected text if there is another instruction; otherwise it is the command itself.`

const checkedForm = formFields(RunFormSchema)
type RunForm = Static<typeof RunFormSchema>
const checkContext = createChecker(RunContextSchema, 'form')

export const runCommandRoute = (deps: RunCommandDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/commands/run',
      operationId: 'runCommand',
      summary: 'Run a command on a text',
      description: DESCRIPTION,
      tag: 'commands',
      body: {
        kind: 'json',
        schema: RunRequestSchema,
        example: { command: 'put this in title case', selected_text: 'the lord of the rings' },
        validate: checkRun,
        form: { fields: RunFormSchema, file: { description: 'the spoken instruction' } },
      },
      resolve: ({ body }) => [styleFault(deps.styles, body.writing_style_id, 'body')],
      responses: ok(
        'The result, or the reason why nothing was done',
        jsonContent(CommandRunSchema, commandRunExample),
      ),
      problems: [
        'capture_not_found',
        'unsupported_audio',
        'audio_too_long',
        'undecodable_audio',
        'unknown_model',
        'unsupported_language',
        'queue_full',
        'model_not_installed',
        'model_unreadable',
        'engine_unavailable',
        'shutting_down',
      ],
    },
    (request, { body, connection }) => {
      const startedAtMs = performance.now()
      const signal = AbortSignal.any([request.signal, deps.shutdown])
      const now = { startedAtMs, signal }
      return body === undefined ? runSpoken(deps, request, connection, now) : runWritten(deps, body, now)
    },
  )

type Now = Pick<RunRequest, 'startedAtMs' | 'signal'>

async function runWritten(
  deps: RunCommandDeps,
  body: Static<typeof RunRequestSchema>,
  now: Now,
): Promise<Response> {
  const styleId = body.writing_style_id ?? null
  const captureId = body.capture_id ?? null
  const capture = captureId === null ? null : await deps.captures.get(captureId)
  if (captureId !== null && capture === null) return failureResponse(captureNotFound(captureId))
  const run = await deps.commands.run({
    ...now,
    ...runFieldsOf(body, 'body'),
    // The raw transcript, because refining may have turned "new line" into a line break.
    instruction: capture === null ? instructionOf(body) : capture.transcriptRaw,
    transcript: capture === null ? null : capture.transcriptRaw,
    context: contextOf(body.context),
    style: styleId === null ? null : deps.styles.get(styleId),
  })
  return Response.json(wireRun(run))
}

const runSpoken = (deps: RunCommandDeps, request: Request, connection: Connection, now: Now) =>
  withTempAudio(
    deps,
    { request, connection, fields: checkedForm, check: (form, stage) => checkForm(deps, form, stage) },
    async ({ fields, stored }) => {
      const transcribed = await deps.dictation.transcribe({
        path: stored.path,
        kind: stored.kind,
        model: fields.stt_model ?? null,
        language: languageOrDefault(fields.language ?? undefined, deps.settings.current()),
        task: 'transcribe',
        prompt: null,
        applyDictionary: null,
        signal: now.signal,
      })
      if (!transcribed.ok) return failureResponse(transcribed.failure)
      const { text, language } = transcribed.value
      const requested = runFieldsOf(fields, 'form')
      const styleId = fields.writing_style_id ?? null
      const run = await deps.commands.run({
        ...now,
        ...requested,
        language: requested.language ?? language,
        instruction: text,
        transcript: text,
        context: contextOf(readContext(fields.context).context),
        style: styleId === null ? null : deps.styles.get(styleId),
      })
      return Response.json(wireRun(run))
    },
  )

async function checkForm(
  { styles, models }: RunCommandDeps,
  form: Partial<RunForm>,
  stage: FormStage,
): Promise<Problem | null> {
  const faults = [...selectionConflicts(form, 'form'), ...readContext(form.context).faults]
  const requested = { model: form.stt_model, language: parseLanguage(form.language ?? undefined) }
  return mergeProblems([
    faults.length > 0 ? invalidRequest(faults) : null,
    styleFault(styles, form.writing_style_id, 'form'),
    await checkModelInForm(models, requested, { ...stage, at: { in: 'form', model: '/stt_model' } }),
  ])
}

/** In a form, the context is a field that holds JSON. */
function readContext(field: string | undefined): {
  context: Static<typeof RunContextSchema> | null
  faults: Fault[]
} {
  if (field === undefined || field === '') return { context: null, faults: [] }
  let value: unknown
  try {
    value = JSON.parse(field)
  } catch {
    return { context: null, faults: [{ in: 'form', path: '/context', message: 'must be a JSON object' }] }
  }
  const checked = checkContext(value)
  if (checked.ok) return { context: checked.value, faults: [] }
  const faults = checked.failure.map((fault) => ({ ...fault, path: `/context${fault.path}` }))
  return { context: null, faults }
}
