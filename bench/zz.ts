import { report } from './lists.ts';
await report({ url: 'http://127.0.0.1:46999' }, 'sk_test_fake_key_for_the_benchmark_only', '1000000');
await report({ url: 'http://127.0.0.1:46999' }, process.argv[2] ?? '', '10');
