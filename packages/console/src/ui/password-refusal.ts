import { fr } from '../i18n/fr.ts'
import { ApiError } from '../lib/http.ts'
import { showToast } from './toast.ts'

/** A refused password (spec §8): the HTTP status and its text as title, the server's sentences joined by spaces. */
export const showPasswordRefusal = (error: unknown): void => {
  const answered = error instanceof ApiError && error.status > 0
  void showToast({
    color: 'red',
    title: answered ? `${error.status} ${error.statusText}`.trim() : fr.states.noAnswer,
    message: error instanceof ApiError ? error.problem.errors.join(' ') || error.message : fr.states.renderText,
    autoClose: 10_000,
  })
}
