import { Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/schema.ts'
import type { Warning } from '../../lib/warning.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DetailedRefiner } from '../../writing/refiner.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { type FindsModels, languageField, parseLanguage } from '../fields/fields.ts'
import { warningExample, warningsField } from '../fields/segment.ts'
import { problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { flag, strictObject, text } from '../kernel/schema.ts'
import {
  styleContent,
  styleExample,
  styleNotFound,
  styleParams,
  WritingStyleDraftSchema,
  WritingStyleSchema,
  wireStyle,
} from './schema.ts'

export type PreviewDeps = {
  styles: WritingStyles
  refiner: Pick<DetailedRefiner, 'preview'>
  settings: { current(): Settings }
  models: FindsModels
}

const PreviewRequestSchema = strictObject(
  {
    text: text({ maxLength: 50_000, description: 'a text as the recogniser might return it' }),
    language: Type.Optional(languageField),
    use_llm: Type.Optional(
      flag({ description: 'whether to use the language model; default: as set in the style' }),
    ),
    style: Type.Optional(nullable(WritingStyleDraftSchema)),
  },
  { $id: 'WritingStylePreviewRequest' },
)

export const PreviewSchema = strictObject(
  {
    text: Type.String({ description: 'the text after applying the style' }),
    changed: Type.Boolean(),
    language: nullable(Type.String(), {
      description:
        'the language whose rules were applied; null: unknown, so only language-independent rules were applied',
    }),
    used_llm: Type.Boolean({ description: 'whether the text comes from the language model' }),
    steps: Type.Array(
      strictObject({
        step: Type.String({ description: 'a rule, `dictionary` or `language_model`' }),
        before: Type.String(),
        after: Type.String(),
      }),
      { description: 'the steps that changed the text, in order' },
    ),
    llm_failure: nullable(strictObject({ code: Type.String(), message: Type.String() }), {
      description: 'why the output of the language model was not used',
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
  warnings: [{ ...warningExample, code: 'llm_not_configured', message: 'No language model was used.' }],
}

export const previewStyleRoute = ({ styles, refiner, settings, models }: PreviewDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles/{id}/preview',
      operationId: 'previewWritingStyle',
      summary: 'Try a writing style on a text',
      description:
        'Returns the text after applying the style, and the steps that changed it. `style` is applied as if it were already saved. Nothing is stored or counted. If neither `language` nor the style gives a language, the server detects it from the text. If the text is too short for that, it uses the language of the settings, or the only one that the preferred model supports. For recordings the language is known.',
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: PreviewRequestSchema,
        example: { text: 'um we meet on friday', language: 'en' },
      },
      responses: ok('The text and the steps that led to it', jsonContent(PreviewSchema, previewExample)),
      problems: ['writing_style_not_found'],
    },
    async (request, { params, body }) => {
      const style = styles.get(params.id)
      if (style === null) return problemResponse(styleNotFound(params.id))
      const draft = body.style ? styleContent(body.style, style.rules) : {}
      const { language } = { ...style, ...draft }
      const options = {
        language: parseLanguage(body.language) ?? language,
        app: { appName: null, appId: null, appUrl: null },
        writingStyleId: style.id,
        flags: null,
        useLlm: body.use_llm ?? null,
        llmModel: null,
        signal: request.signal,
        otherwise: await onlyLanguage(settings.current(), models),
      }
      const refined = await refiner.preview(body.text, options, draft)
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
    'The language of the text could not be detected, so only language-independent rules were applied. Send `language`.',
}

/** The language, if settings and model leave only one. */
async function onlyLanguage(
  { language, languages, sttModel }: Settings,
  models: FindsModels,
): Promise<string | null> {
  if (language !== null) return language
  if (languages.length === 1) return languages[0]!
  const model = await models.resolve(sttModel)
  return model.ok && !model.value.multilingual ? 'en' : null
}

const MatchSchema = strictObject(
  { style: WritingStyleSchema, matched_by: oneOf(['url', 'app', 'category', 'default']) },
  { $id: 'WritingStyleMatch' },
)

export const matchStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles/match',
      operationId: 'matchWritingStyle',
      summary: 'Find the matching writing style',
      description:
        'Matches by the URL of the page, then by application, then by kind of application; otherwise the default applies. Among several matching styles, the highest priority wins, then custom over built-in styles, then the longest pattern.',
      tag: 'writing styles',
      query: strictObject({
        app: Type.Optional(text({ maxLength: 500, description: 'name or identifier of the application' })),
        url: Type.Optional(text({ maxLength: 4000, description: 'URL of the page' })),
        category: Type.Optional(
          text({
            maxLength: 500,
            description: 'kind of application; default: derived from `app`',
          }),
        ),
        language: Type.Optional(languageField),
      }),
      responses: ok(
        'The writing style and what it was matched by',
        jsonContent(MatchSchema, { style: styleExample, matched_by: 'app' }),
      ),
    },
    (_request, { query }) => {
      const { app = null, url = null, category = null } = query
      const { style, matchedBy } = styles.match({
        writingStyleId: null,
        appId: app,
        appName: app,
        appUrl: url,
        category,
        language: parseLanguage(query.language),
      })
      return Response.json({ style: wireStyle(style), matched_by: matchedBy })
    },
  )
