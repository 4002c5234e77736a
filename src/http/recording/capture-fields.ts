// The fields of a new capture, in a form or in a query: schema, checks and conversion.

import { type Static, Type } from '@sinclair/typebox'
import { CaptureSchema } from '../../captures/capture.ts'
import type { CaptureFields } from '../../captures/new-capture.ts'
import { uuid } from '../../lib/schema.ts'
import { shortenFileName } from '../../lib/shorten.ts'
import type { Settings } from '../../settings/settings.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import {
  checkModelInForm,
  clipboardField,
  type FindsModels,
  languageField,
  languageOrDefault,
  modelField,
  parseLanguage,
  recordedAtFault,
  recordedAtField,
  recordedAtOf,
  styleFault,
} from '../fields/fields.ts'
import type { FormStage } from '../kernel/form.ts'
import { mergeProblems } from '../kernel/input.ts'
import type { Problem } from '../kernel/problem.ts'
import { flag, strictObject, text } from '../kernel/schema.ts'

const maybe = (maxLength: number, description: string) => Type.Optional(text({ maxLength, description }))

export const CaptureFieldsSchema = strictObject({
  source: Type.Optional({ ...CaptureSchema.properties.source, description: 'by default `file`' }),
  language: Type.Optional(languageField),
  stt_model: Type.Optional(modelField),
  title: maybe(500, "by default the file's name"),
  recorded_at: Type.Optional(recordedAtField),
  app_name: maybe(500, 'name of the application that the user dictates into'),
  app_id: maybe(500, 'identifier of the application'),
  app_url: maybe(4000, 'URL of the web page'),
  window_title: maybe(1000, 'title of the window'),
  writing_style_id: Type.Optional(uuid({ description: 'by default the style that matches the application' })),
  clipboard: Type.Optional(clipboardField),
  refine: Type.Optional(
    flag({ description: 'whether to refine the text; by default as set in the settings' }),
  ),
})
export type WireCaptureFields = Partial<Static<typeof CaptureFieldsSchema>>

export type CaptureFieldDeps = {
  models: FindsModels
  styles: Pick<WritingStyles, 'get'>
}

/** All errors in the fields known so far; more fields may follow the file unless `stage.whole`. */
export async function checkCaptureFields(
  { models, styles }: CaptureFieldDeps,
  { writing_style_id: style, stt_model: model, language, recorded_at: recordedAt }: WireCaptureFields,
  stage: FormStage,
  place: 'form' | 'query',
): Promise<Problem | null> {
  const at = { in: place, model: '/stt_model' }
  return mergeProblems([
    styleFault(styles, style, place),
    recordedAtFault(recordedAt, place),
    await checkModelInForm(models, { model, language: parseLanguage(language) }, { ...stage, at }),
  ])
}

const orNull = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value

const MAX_FILE_NAME_CHARACTERS = 500

const storableName = (name: string): string =>
  shortenFileName(name.replace(/\p{Cc}/gu, ''), MAX_FILE_NAME_CHARACTERS)

/** The fields to store. The application is only stored if the settings allow it. */
export const captureFieldsOf = (
  fields: WireCaptureFields,
  { fileName, settings }: { fileName: string | null; settings: Settings },
): CaptureFields => ({
  source: fields.source ?? 'file',
  language: languageOrDefault(fields.language, settings),
  sttModel: fields.stt_model ?? null,
  fileName: orNull(fileName === null ? undefined : storableName(fileName)),
  title: orNull(fields.title),
  recordedAt: fields.recorded_at === undefined ? undefined : recordedAtOf(fields.recorded_at),
  ...(settings.recordAppContext ? contextOf(fields) : NO_CONTEXT),
  writingStyleId: fields.writing_style_id ?? null,
  refine: fields.refine ?? null,
})

const contextOf = (fields: WireCaptureFields) => ({
  appName: orNull(fields.app_name),
  appId: orNull(fields.app_id),
  appUrl: orNull(fields.app_url),
  windowTitle: orNull(fields.window_title),
})

const NO_CONTEXT = { appName: null, appId: null, appUrl: null, windowTitle: null }
