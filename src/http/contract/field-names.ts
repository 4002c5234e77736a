// Suggests the field that a client probably meant by an unknown name.

import { closestWord } from '../../lib/did-you-mean.ts'

/** Names that other programs use, mapped to ours. */
const FIELD_ALIASES = new Map<string, readonly string[]>(
  Object.entries({
    search: ['q'],
    query: ['q'],
    text: ['q', 'command', 'transcript_refined'],
    from: ['since', 'word'],
    after: ['since'],
    start: ['since'],
    to: ['until', 'replacement'],
    before: ['until'],
    end: ['until'],
    format: ['response_format'],
    output_format: ['response_format', 'format'],
    model: ['stt_model', 'model_name'],
    stt_model: ['model'],
    name: ['model_name', 'title'],
    app: ['app_name'],
    style: ['writing_style_id'],
    count: ['limit'],
    per_page: ['limit'],
    page_size: ['limit'],
    size: ['limit'],
    find: ['word'],
    original: ['word'],
    phrase: ['word'],
    with: ['replacement'],
    replace: ['replacement'],
    replace_with: ['replacement'],
    page: ['offset'],
    timestamps: ['word_timestamps', 'timestamp_granularities[]'],
    translate: ['task'],
    initial_prompt: ['prompt'],
    hotwords: ['keywords'],
    lang: ['language'],
  }),
)

export function nearestField(name: string, known: readonly string[]): string | null {
  const alias = FIELD_ALIASES.get(name.toLowerCase())?.find((one) => known.includes(one))
  return alias ?? closestWord(name, known)
}
