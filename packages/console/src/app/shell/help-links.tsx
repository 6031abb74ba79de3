import { Modal } from '@mantine/core'
import { useState } from 'react'
import { fr } from '../../i18n/fr.ts'
import { GUIDE } from '../../lib/guide.ts'
import { shareTheme } from '../../lib/guide-theme.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { externalLink } from '../../lib/safe-link.ts'
import hiding from '../../ui/hidden.module.css'
import classes from './top-bar.module.css'

const WEB = ['https:', 'http:']
const CONTACT = [...WEB, 'mailto:']

/**
 * Documentation and Contact (spec §2): links out of the console. Without a set address, Documentation is the guide that
 * comes with Narval; Contact, or an address that must not be followed, a window that says so.
 */
export const HelpLinks = () => {
  const { documentationUrl, contactUrl } = usePublicConfiguration()
  return (
    <>
      <HelpLink
        label={fr.shell.documentation}
        url={documentationUrl === '' ? GUIDE : externalLink(documentationUrl, WEB)}
        missing={fr.shell.noDocumentation}
      />
      <HelpLink label={fr.shell.contact} url={externalLink(contactUrl, CONTACT)} missing={fr.shell.noContact} />
    </>
  )
}

interface HelpLinkProps {
  readonly label: string
  readonly url: string | null
  readonly missing: string
}

const HelpLink = ({ label, url, missing }: HelpLinkProps) => {
  const [opened, setOpened] = useState(false)
  if (url !== null) {
    const mail = url.startsWith('mailto:')
    return (
      <a
        className={classes.link}
        href={url}
        onClick={url === GUIDE ? shareTheme : undefined}
        onAuxClick={url === GUIDE ? shareTheme : undefined}
        {...(mail ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
      >
        {label}
        {!mail && <span className={hiding.hidden}> {fr.shell.newTab}</span>}
      </a>
    )
  }
  return (
    <>
      <button type="button" className={classes.link} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {label}
      </button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={label}
        centered
        closeButtonProps={{ 'aria-label': fr.common.close }}
      >
        <p className={classes.missing}>{missing}</p>
        <p className={classes.missing}>{fr.shell.askAdministrator}</p>
      </Modal>
    </>
  )
}
