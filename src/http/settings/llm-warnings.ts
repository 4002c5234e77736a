// What of the settings keeps a language model from being asked, in words for a person.
// Asking it is src/llm; without it the rules refine.

import type { Warning } from '../../lib/warning.ts'
import { keyVariableFault } from '../../llm/key-variable.ts'
import type { Settings } from '../../settings/settings.ts'

export function llmWarnings({ autoRefine, llmBaseUrl, llmApiKeyEnv, llmModel }: Settings): Warning[] {
  const warnings: Warning[] = []
  if (autoRefine && llmModel !== null && llmBaseUrl === null) {
    const message = `llm_model names ${JSON.stringify(llmModel)}, but no language model is asked without llm_base_url; the rules alone refine.`
    warnings.push({ code: 'llm_not_configured', message })
  }
  // Settings are kept as they were written, also by a version that let them name any variable.
  const fault = llmApiKeyEnv === null ? null : keyVariableFault(llmApiKeyEnv)
  if (fault !== null) {
    const message = `llm_api_key_env ${fault}; the language model is not asked.`
    warnings.push({ code: 'llm_key_refused', message })
  }
  return warnings
}
