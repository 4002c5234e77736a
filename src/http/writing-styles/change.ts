import { PLAIN_CONTENT } from '../../writing/style.ts'
import { problemResponse } from '../contract/problem.ts'
import { READ_ONLY_NOTE } from '../contract/read-only.ts'
import { defineRoute } from '../contract/route.ts'
import { styleContent, WritingStylePatchSchema, WritingStyleReplacementSchema } from './schema.ts'
import {
  CHANGE_PROBLEMS,
  changedResponse,
  oneStyle,
  resolveStyle,
  type StyleRouteDeps,
  styleNotFound,
  styleParams,
} from './style.ts'

const CHANGEABLE =
  'Built-in styles can be changed too, and reset later. The default style cannot be disabled.'

export const replaceStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}',
      operationId: 'replaceWritingStyle',
      summary: 'Replace a writing style',
      description: `Omitted fields get the values of a plain style. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStyleReplacementSchema,
        example: { name: 'Minutes', apps: ['Zoom', 'Teams'] },
      },
      responses: { 200: { description: 'The writing style after the change', content: oneStyle } },
      resolve: resolveStyle(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) =>
      changedResponse(
        await deps.styles.change(params.id, { ...PLAIN_CONTENT, ...styleContent(body, PLAIN_CONTENT.rules) }),
      ),
  )

export const updateStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/writing-styles/{id}',
      operationId: 'updateWritingStyle',
      summary: 'Change a writing style',
      description: `Changes only the given fields and rules. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStylePatchSchema,
        example: { rules: { trailing_space: true }, priority: 10 },
      },
      responses: { 200: { description: 'The writing style after the change', content: oneStyle } },
      resolve: resolveStyle(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) => {
      const style = deps.styles.get(params.id)
      if (style === null) return problemResponse(styleNotFound(params.id))
      return changedResponse(await deps.styles.change(style.id, styleContent(body, style.rules)))
    },
  )
