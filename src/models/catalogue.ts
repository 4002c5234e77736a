// The Whisper models in whisper.cpp's model repository, with name, length and SHA-256 of each file.

import published from './published.json'

/** Voicebox clients use the last two names too. */
export type ModelSize = 'tiny' | 'base' | 'small' | 'medium' | 'large' | 'turbo'

export type Quantization = 'f16' | 'q8_0' | 'q5_1' | 'q5_0'

export type CatalogueModel = {
  /** `base.en-q5_1`; no suffix means f16 */
  name: string
  /** the name without its quantization: `base.en` */
  family: string
  displayName: string
  size: ModelSize
  quantization: Quantization
  multilingual: boolean
  repository: string
  revision: string
  file: string
  sha256: string
  bytes: number
  expectedSizeMb: number
  /** suggested first download: small enough for most computers, clearly better than the bundled models */
  recommended: boolean
}

/** Shipped with the server, so always available. The first knows 99 languages, the second takes half the work. */
export const BUNDLED_MODELS: readonly string[] = ['base-q5_1', 'tiny.en-q5_1']

const RECOMMENDED = ['small.en-q5_1', 'small-q5_1']

const SIZES: Record<string, ModelSize> = { 'large-v3': 'large', 'large-v3-turbo': 'turbo' }

const TITLES: Record<ModelSize, string> = {
  tiny: 'Whisper Tiny',
  base: 'Whisper Base',
  small: 'Whisper Small',
  medium: 'Whisper Medium',
  large: 'Whisper Large v3',
  turbo: 'Whisper Large v3 Turbo',
}

type Published = (typeof published.models)[number]

const entryOf = ({ name, file, sha256, bytes }: Published): CatalogueModel => {
  const [, family = name, quantization = 'f16'] = /^(.*?)(?:-(q\d_\d))?$/.exec(name) ?? []
  const multilingual = !family.endsWith('.en')
  const bare = family.replace(/\.en$/, '')
  const size = SIZES[bare] ?? (bare as ModelSize)
  const languages = multilingual ? '' : ', English'
  return {
    name,
    family,
    displayName: `${TITLES[size]}${languages} (${quantization})`,
    size,
    quantization: quantization as Quantization,
    multilingual,
    repository: published.repository,
    revision: published.revision,
    file,
    sha256,
    bytes,
    expectedSizeMb: Math.round(bytes / 1_000_000),
    recommended: RECOMMENDED.includes(name),
  }
}

export const CATALOGUE: readonly CatalogueModel[] = published.models.map(entryOf)

/** Ascending accuracy and transcription time. */
const SIZE_ORDER: ModelSize[] = ['tiny', 'base', 'small', 'medium', 'turbo', 'large']

/** q8_0 is as accurate as f16, which is the slowest in WebAssembly. */
const QUANTIZATION_ORDER: Quantization[] = ['f16', 'q5_0', 'q5_1', 'q8_0']

const rank = ({ size, multilingual, quantization }: CatalogueModel) =>
  SIZE_ORDER.indexOf(size) * 100 + (multilingual ? 50 : 0) + QUANTIZATION_ORDER.indexOf(quantization)

/** Largest first. */
export const bySize = (one: CatalogueModel, other: CatalogueModel) =>
  SIZE_ORDER.indexOf(other.size) - SIZE_ORDER.indexOf(one.size)

/** Best first, for requests that leave the choice open. */
export const byQuality = (one: CatalogueModel, other: CatalogueModel) => rank(other) - rank(one)
