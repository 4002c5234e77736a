// The `language` of a request: the languages Whisper was trained on, or `auto`.
// Whether a given model knows one is model-fields.ts.

import { oneOf } from './schema.ts'

/** In the order of OpenAI's tokenizer, which is the order of how much of each it heard. */
const WHISPER_LANGUAGES = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la ' +
  'mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be ' +
  'tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'
).split(' ')

export const languageField = oneOf(['auto', ...WHISPER_LANGUAGES], {
  description: 'the language that is spoken, ISO 639-1 where it has a code there; `auto` finds it out',
})

/** Null is automatic, as the engine has it. */
export const languageOf = (field: string | undefined): string | null =>
  field === undefined || field === 'auto' ? null : field
