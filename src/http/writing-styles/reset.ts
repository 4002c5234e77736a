import type { WritingStyles } from '../../writing/styles.ts'
import { defineRoute } from '../contract/route.ts'
import { CHANGE_PROBLEMS, changedResponse, oneStyle, styleParams } from './style.ts'

export const resetStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles/{id}/reset',
      operationId: 'resetWritingStyle',
      summary: 'Reset a built-in writing style',
      description:
        'Restores the style as it was installed. Whether it is the default, and its usage count, stay unchanged.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The restored writing style', content: oneStyle } },
      problems: [...CHANGE_PROBLEMS, 'style_is_custom', 'writing_style_exists'],
    },
    async (_request, { params }) => changedResponse(await styles.reset(params.id)),
  )
