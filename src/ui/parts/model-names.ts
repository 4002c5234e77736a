// The names of models for people: files are named for programs (`base.en-q5_1`).

import { filled, strings } from '../strings/strings.ts'

/** Whisper's own names. */
const SIZES: Record<string, string> = {
  tiny: 'Tiny',
  base: 'Base',
  small: 'Small',
  medium: 'Medium',
  'large-v3': 'Large v3',
  'large-v3-turbo': 'Large v3 Turbo',
}

const PUBLISHED = /^(.*?)(\.en)?(?:-(q[58]_\d|f16))?$/

/** The part of the name that says how exactly a file stores its weights. The smallest file of a size has none. */
const PRECISIONS: Record<string, 'high' | 'full'> = { q8_0: 'high', f16: 'full' }

/** `base.en-q8_0` → "Base, English, high precision"; the name itself for a file of the user. */
export function modelName(name: string): string {
  const { models } = strings.value
  const [, size = '', english, type = 'f16'] = PUBLISHED.exec(name) ?? []
  const title = SIZES[size]
  if (title === undefined) return name
  const precision = PRECISIONS[type]
  return [title, english && models.english, precision && models.precisions[precision]]
    .filter(Boolean)
    .join(', ')
}

/** "compact (q5_1)"; null for a file of the user. */
export function precisionName(quantization: string | null): string | null {
  if (quantization === null) return null
  const { precisions } = strings.value.models
  return filled(strings.value.models.precisionOf, {
    precision: precisions[PRECISIONS[quantization] ?? 'compact'],
    type: quantization,
  })
}
