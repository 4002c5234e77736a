// The form values of a writing style, and their conversion to the request body.

import { sentNumber, valuesIn } from '../parts/form-field.tsx'
import type { ShownStyle } from '../server/wire.ts'

/** The default from the settings, yes, or no. */
export type ThreeWay = 'settings' | 'yes' | 'no'

export type StyleDraft = Pick<
  ShownStyle,
  'name' | 'description' | 'tone' | 'instructions' | 'use_llm' | 'rules' | 'enabled' | 'examples'
> & {
  smart_cleanup: ThreeWay
  self_correction: ThreeWay
  preserve_technical: ThreeWay
  /** one per line */
  app_categories: string
  apps: string
  url_patterns: string
  /** '' for any, or for the default from the settings */
  language: string
  stt_model: string
  llm_model: string
  priority: string
}

const threeWay = (value: boolean | null): ThreeWay => {
  if (value === null) return 'settings'
  return value ? 'yes' : 'no'
}

const yesOrNo = (value: ThreeWay): boolean | null => (value === 'settings' ? null : value === 'yes')

const lines = (values: readonly string[]): string => values.join('\n')

export function styleDraftOf(style: ShownStyle): StyleDraft {
  const { name, description, tone, instructions, use_llm, rules, enabled, examples } = style
  return {
    ...{ name, description, tone, instructions, use_llm, rules, enabled, examples },
    smart_cleanup: threeWay(style.smart_cleanup),
    self_correction: threeWay(style.self_correction),
    preserve_technical: threeWay(style.preserve_technical),
    app_categories: lines(style.app_categories),
    apps: lines(style.apps),
    url_patterns: lines(style.url_patterns),
    language: style.language ?? '',
    stt_model: style.stt_model ?? '',
    llm_model: style.llm_model ?? '',
    priority: String(style.priority),
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const sentStyle = (draft: StyleDraft) => ({
  ...draft,
  examples: draft.examples.filter(({ input, output }) => input.trim() !== '' || output.trim() !== ''),
  smart_cleanup: yesOrNo(draft.smart_cleanup),
  self_correction: yesOrNo(draft.self_correction),
  preserve_technical: yesOrNo(draft.preserve_technical),
  app_categories: valuesIn(draft.app_categories),
  apps: valuesIn(draft.apps),
  url_patterns: valuesIn(draft.url_patterns),
  language: orNull(draft.language),
  stt_model: orNull(draft.stt_model),
  llm_model: orNull(draft.llm_model),
  priority: sentNumber(draft.priority),
})

/** The parts of a style that affect a text. Incomplete examples are still being typed and are left out. */
export function triedStyle(draft: StyleDraft) {
  const sent = sentStyle(draft)
  const examples = sent.examples.filter(({ input, output }) => input !== '' && output !== '')
  return Object.fromEntries(BEARING.map((name) => [name, name === 'examples' ? examples : sent[name]]))
}

const BEARING = [
  ...(['tone', 'instructions', 'examples', 'use_llm', 'llm_model', 'rules', 'language'] as const),
  ...(['smart_cleanup', 'self_correction', 'preserve_technical'] as const),
]

/** The request that recreates a deleted style: everything except the server's own fields. */
export function contentOf(style: ShownStyle): object {
  const {
    id: _id,
    kind: _kind,
    is_default: _default,
    usage_count: _uses,
    last_used_at: _used,
    created_at: _created,
    updated_at: _updated,
    ...content
  } = style
  return content
}
