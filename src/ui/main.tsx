import { render } from 'preact'
import { address } from './address.ts'
import { followTranslation } from './browser-translation.ts'
import { followDrops } from './files/drops.tsx'
import { leaveKeysToInputMethod } from './keys/input-method.ts'
import { followServer } from './server/connection.ts'
import { prefetch } from './server/request.ts'
import { isTokenWanted } from './server/session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { chooseLanguage, languageOfBrowser } from './strings/strings.ts'
import { viewAt } from './views.ts'

leaveKeysToInputMethod()
followTranslation()
// Prefetches the view's data, in parallel with its code and the strings.
const view = viewAt(address.value)
if (view?.firstPath) prefetch(view.firstPath(address.value))
void view?.load()
await chooseLanguage(languageOfBrowser())
const Page = () => (isTokenWanted.value ? <SignIn /> : <Shell />)
render(<Page />, document.getElementById('page')!)
followServer()
followDrops()
