// Which writing style a place gets, what one makes of a text, and which is the default; and a built-in one as it was.
// Keeping and changing them is writing-styles.ts.

import { Type } from '@sinclair/typebox'
import type { Warning } from '../lib/warning.ts'
import type { Settings } from '../settings/settings.ts'
import type { DetailedRefiner } from '../writing/refiner.ts'
import type { WritingStyles } from '../writing/styles.ts'
import { languageField, languageOf } from './language.ts'
import type { FindsModels } from './model-fields.ts'
import { problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { flag, nullable, oneOf, strictObject, text } from './schema.ts'
import { warningExample, warningsField } from './warning.ts'
import {
  CHANGE_PROBLEMS,
  changedResponse,
  oneStyle,
  styleNotFound,
  styleParams,
} from './writing-styles-answers.ts'
import { styleExample, WritingStyleSchema, wireStyle } from './writing-styles-schema.ts'

type WritingStyleDeps = {
  styles: WritingStyles
  refiner: Pick<DetailedRefiner, 'preview'>
  settings: { current(): Settings }
  models: FindsModels
}

export const writingStyleWorkRoutes = (deps: WritingStyleDeps): Route[] => [
  matchRoute(deps),
  resetRoute(deps),
  defaultRoute(deps),
  previewRoute(deps),
]

const MatchSchema = strictObject(
  { style: WritingStyleSchema, matched_by: oneOf(['url', 'app', 'category', 'default']) },
  { $id: 'WritingStyleMatch' },
)

const matchRoute = ({ styles }: WritingStyleDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles/match',
      operationId: 'matchWritingStyle',
      summary: 'Find the writing style for a place',
      description:
        'By the address of the page, then the application, then its kind, then the default. Of several that match, the one with the highest priority; then one that a person made; then the one with the longest pattern.',
      tag: 'writing styles',
      query: strictObject({
        app: Type.Optional(text({ maxLength: 500, description: 'name or identifier of the application' })),
        url: Type.Optional(text({ maxLength: 4000, description: 'address of the page' })),
        category: Type.Optional(
          text({
            maxLength: 500,
            description: 'kind of application; found out from `app` where it is left out',
          }),
        ),
        language: Type.Optional(languageField),
      }),
      responses: {
        200: {
          description: 'The writing style, and why',
          content: {
            'application/json': { schema: MatchSchema, example: { style: styleExample, matched_by: 'app' } },
          },
        },
      },
    },
    (_request, { query }) => {
      const { app = null, url = null, category = null } = query
      const { style, matchedBy } = styles.match({
        ...{ writingStyleId: null, appId: app, appName: app, appUrl: url, category },
        language: languageOf(query.language),
      })
      return Response.json({ style: wireStyle(style), matched_by: matchedBy })
    },
  )

const resetRoute = ({ styles }: WritingStyleDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles/{id}/reset',
      operationId: 'resetWritingStyle',
      summary: 'Reset a built-in writing style',
      description:
        'To what it was when it was installed. It stays the default if it is, and its count of uses stays.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The writing style as it was', content: oneStyle } },
      problems: [...CHANGE_PROBLEMS, 'style_is_custom', 'writing_style_exists'],
    },
    async (_request, { params }) => changedResponse(await styles.reset(params.id)),
  )

const defaultRoute = ({ styles }: WritingStyleDeps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}/default',
      operationId: 'setDefaultWritingStyle',
      summary: 'Make a writing style the default',
      description: 'The one before is none any more. A disabled style is enabled by it.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The writing style, now the default', content: oneStyle } },
      problems: CHANGE_PROBLEMS,
    },
    async (_request, { params }) => changedResponse(await styles.setDefault(params.id)),
  )

const PreviewRequestSchema = strictObject(
  {
    text: text({ maxLength: 50_000, description: 'as it might be recognised' }),
    language: Type.Optional(languageField),
    use_llm: Type.Optional(flag({ description: 'ask the language model or not; else as the style says' })),
  },
  { $id: 'WritingStylePreviewRequest' },
)

const PreviewSchema = strictObject(
  {
    text: Type.String({ description: 'as the style writes it' }),
    changed: Type.Boolean(),
    language: nullable(Type.String(), {
      description: 'whose rules were applied; null: it is not known, so only what holds in every language',
    }),
    used_llm: Type.Boolean({ description: 'whether the language model wrote it' }),
    steps: Type.Array(
      strictObject({
        step: Type.String({ description: 'a rule, `dictionary` or `language_model`' }),
        before: Type.String(),
        after: Type.String(),
      }),
      { description: 'what changed the text, in that order' },
    ),
    llm_failure: nullable(strictObject({ code: Type.String(), message: Type.String() }), {
      description: 'why the text of the language model was not taken',
    }),
    warnings: warningsField,
  },
  { $id: 'WritingStylePreview' },
)

const previewExample = {
  text: 'We meet on Friday.',
  changed: true,
  language: 'en',
  used_llm: false,
  steps: [{ step: 'hesitations', before: 'Um we meet on Friday.', after: 'We meet on Friday.' }],
  llm_failure: null,
  warnings: [{ ...warningExample, code: 'llm_not_configured', message: 'No language model was asked.' }],
}

const previewRoute = ({ styles, refiner, settings, models }: WritingStyleDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles/{id}/preview',
      operationId: 'previewWritingStyle',
      summary: 'Try a writing style on a text',
      description:
        'Shows what it makes of the text and by which steps. Nothing is kept or counted. A text of which neither `language` nor the style says the language is taken for what it looks like; where it is too short to tell, for the language of the settings, or the only one that the preferred model knows. Of a recording the language is known.',
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: PreviewRequestSchema,
        example: { text: 'um we meet on friday', language: 'en' },
      },
      responses: {
        200: {
          description: 'The text and how it came about',
          content: { 'application/json': { schema: PreviewSchema, example: previewExample } },
        },
      },
      problems: ['writing_style_not_found'],
    },
    async (request, { params, body }) => {
      const style = styles.get(params.id)
      if (style === null) return problemResponse(styleNotFound(params.id))
      const refined = await refiner.preview(body.text, {
        language: languageOf(body.language) ?? style.language,
        app: { appName: null, appId: null, appUrl: null },
        writingStyleId: style.id,
        ...{ flags: null, useLlm: body.use_llm ?? null, llmModel: null },
        signal: request.signal,
        otherwise: await onlyLanguage(settings.current(), models),
      })
      const unknown = refined.language === null && refined.text.trim() !== ''
      return Response.json({
        text: refined.text,
        changed: refined.text !== body.text,
        language: refined.language,
        used_llm: refined.status === 'llm',
        steps: refined.steps,
        llm_failure: refined.llmFailure,
        warnings: [...refined.warnings, ...(unknown ? [LANGUAGE_UNKNOWN] : [])],
      })
    },
  )

const LANGUAGE_UNKNOWN: Warning = {
  code: 'language_unknown',
  message:
    'The text does not tell its language, so only what holds in every language was done; send `language`.',
}

/** The one language that is spoken here, as far as settings and model leave no other. */
async function onlyLanguage(
  { language, languages, sttModel }: Settings,
  models: FindsModels,
): Promise<string | null> {
  if (language !== null) return language
  if (languages.length === 1) return languages[0]!
  const model = await models.resolve(sttModel)
  return model.ok && !model.value.multilingual ? 'en' : null
}
