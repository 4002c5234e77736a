// POST /writing-styles/{id}/reset: a built-in style as it was.
// Changing it is change.ts.

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
        'To what it was when it was installed. It stays the default if it is, and its count of uses stays.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The writing style as it was', content: oneStyle } },
      problems: [...CHANGE_PROBLEMS, 'style_is_custom', 'writing_style_exists'],
    },
    async (_request, { params }) => changedResponse(await styles.reset(params.id)),
  )
