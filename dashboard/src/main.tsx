import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './parts/names.css';
import { createRoot } from 'react-dom/client';
import { allowStyles } from './allow-styles.ts';
import { App } from './app.tsx';
import { followBuilds } from './follow-builds.ts';

allowStyles();
followBuilds();
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
