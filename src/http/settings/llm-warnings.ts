import type { Warning } from '../../lib/warning.ts'
import { keyVariableFault } from '../../llm/key-variable.ts'
import type { Settings } from '../../settings/settings.ts'

export function llmWarnings({ autoRefine, llmBaseUrl, llmApiKeyEnv, llmModel }: Settings): Warning[] {
  const warnings: Warning[] = []
  if (autoRefine && llmModel !== null && llmBaseUrl === null) {
    const message = `llm_model names ${JSON.stringify(llmModel)}, but llm_base_url is not set, so only the rules refine. Set llm_base_url to use the language model.`
    warnings.push({ code: 'llm_not_configured', message })
  }
  // Stored settings are not migrated; an older version allowed any variable name.
  const fault = llmApiKeyEnv === null ? null : keyVariableFault(llmApiKeyEnv)
  if (fault !== null) {
    const message = `llm_api_key_env ${fault}; the language model is not used.`
    warnings.push({ code: 'llm_key_refused', message })
  }
  return warnings
}
