import '@fontsource-variable/inter/wght.css'
import './guide.css'
import './browser.ts'
