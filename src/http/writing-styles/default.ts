import type { WritingStyles } from '../../writing/styles.ts'
import { defineRoute } from '../contract/route.ts'
import { CHANGE_PROBLEMS, changedResponse, oneStyle, styleParams } from './style.ts'

export const setDefaultStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}/default',
      operationId: 'setDefaultWritingStyle',
      summary: 'Make a writing style the default',
      description: 'Replaces the previous default. A disabled style becomes enabled.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The writing style, now the default', content: oneStyle } },
      problems: CHANGE_PROBLEMS,
    },
    async (_request, { params }) => changedResponse(await styles.setDefault(params.id)),
  )
