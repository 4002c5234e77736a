// Runs an instruction: tries the built-in commands, then saved commands, then a language model.

import { understand } from '../text/commands/grammar.ts'
import type { CommandContext } from '../text/commands/rule.ts'
import { MAX_UTTERANCE_CHARACTERS } from '../text/commands/utterance.ts'
import { askModel, type ModelDeps } from './ask-model.ts'
import {
  changedText,
  insertion,
  pressing,
  type RunEffect,
  type RunRequest,
  unchanged,
} from './command-run.ts'
import type { SavedCommand } from './saved-command.ts'
import type { SavedCommands } from './saved-commands.ts'

export type RunDeps = ModelDeps & { saved: Pick<SavedCommands, 'find'> }

/** Replacing each comma with a long phrase can multiply a text. */
const MAX_OUTPUT_CHARACTERS = 200_000

/** Returns the text unchanged if in doubt. */
export async function runVoiceCommand(deps: RunDeps, request: RunRequest): Promise<RunEffect> {
  const { instruction, selectedText: text } = request
  if (request.signal.aborted)
    return unchanged(text, { status: 'canceled', message: 'The command was canceled.' })
  if (instruction.trim() === '')
    return unchanged(text, { status: 'no_text', message: 'The instruction is empty.' })
  if (instruction.length > MAX_UTTERANCE_CHARACTERS) {
    const message = `The instruction is longer than ${MAX_UTTERANCE_CHARACTERS} characters.`
    return unchanged(text, { status: 'too_long', message })
  }
  return checked(text, await find(deps, request))
}

async function find(deps: RunDeps, request: RunRequest): Promise<RunEffect> {
  const { instruction, selectedText: text, language } = request
  const builtIn = runBuiltIn(instruction, text, { language })
  if (builtIn.done) return builtIn.effect
  const saved = deps.saved.find(instruction)
  if (saved !== null) {
    const { id: commandId, name, steps, instructions } = saved
    if (steps !== null) return runSteps({ id: commandId, name, steps }, text, { language })
    const run = { request, instruction: instructions ?? instruction, commandId, name }
    return (await askModel(deps, run)) ?? unchanged(text, NO_MODEL, { commandId, name })
  }
  const written = await askModel(deps, { request, instruction, commandId: null, name: null })
  return written ?? builtIn.why ?? unchanged(text, NO_MODEL)
}

const NO_MODEL = {
  status: 'unsupported',
  code: 'llm_not_configured',
  message:
    'This instruction needs a language model, and none is configured. To use Ollama, send PATCH /settings/captures {"llm_base_url": "http://127.0.0.1:11434/v1"}. GET /commands lists the commands that need no model.',
} as const

/** Rejects a result that clients cannot store. */
function checked(text: string, effect: RunEffect): RunEffect {
  const { output, commandId, name, usedLlm, model } = effect
  const more = { commandId, name, usedLlm, model }
  if (output.length > MAX_OUTPUT_CHARACTERS && output !== text)
    return unchanged(text, { status: 'too_long', message: 'The result would be too long.' }, more)
  if (output.includes('\0') || !output.isWellFormed())
    return unchanged(text, { status: 'failed', message: 'The result would not be valid text.' }, more)
  return effect
}

type BuiltInRun =
  | { done: true; effect: RunEffect }
  /** no command ran; `why` is the reason if a command matched the instruction, else null */
  | { done: false; why: RunEffect | null }

/** If several commands match the instruction, runs the first that applies to the text. */
function runBuiltIn(instruction: string, text: string, context: CommandContext): BuiltInRun {
  let why: RunEffect | null = null
  for (const { rule, params } of understand(instruction)) {
    const { name } = rule
    if (rule.kind === 'action') return { done: true, effect: pressing(text, rule.keys(params), { name }) }
    if (rule.kind === 'insert') return { done: true, effect: insertion(rule.inserted, { name }) }
    if (text.trim() === '') {
      why ??= unchanged(text, { status: 'no_text', message: 'Select the text to change.' }, { name })
      continue
    }
    const output = rule.apply(text, params, context)
    if (output !== null)
      return { done: true, effect: changedText(text, output, { name, target: rule.target }) }
    const message = `The text does not contain what the instruction names, so "${name}" has nothing to change.`
    why ??= unchanged(text, { status: 'no_match', message }, { name })
  }
  return { done: false, why }
}

type Steps = Pick<SavedCommand, 'id' | 'name'> & { steps: readonly string[] }

/** Runs all steps in order, or none if one fails. */
function runSteps({ id, name, steps }: Steps, text: string, context: CommandContext): RunEffect {
  const command = { commandId: id, name }
  let output = text
  let target: RunEffect['target'] = 'replace_selection'
  const keys: string[] = []
  for (const step of steps) {
    const run = runBuiltIn(step, output, context)
    if (!run.done) return stopped(text, step, run.why, command)
    if (run.effect.kind === 'action') keys.push(...run.effect.keys)
    else if (run.effect.status === 'succeeded') {
      output = run.effect.output
      if (run.effect.target === 'clipboard') target = 'clipboard'
    }
  }
  if (output === text && keys.length > 0) return pressing(text, keys, command)
  return changedText(text, output, { ...command, target, keys })
}

function stopped(text: string, step: string, why: RunEffect | null, command: Partial<RunEffect>): RunEffect {
  const message = why?.error?.message ?? 'This built-in command no longer exists.'
  return why?.status === 'no_text'
    ? unchanged(text, { status: 'no_text', message }, command)
    : unchanged(text, { status: 'no_match', message: `At the step "${step}": ${message}` }, command)
}
