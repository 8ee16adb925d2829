-- One session for each client of this run, at generation 0.
insert into clients (id, name) values ('app', 'Benchmark') on conflict do nothing;
insert into accounts (id) values (md5('refresh')::uuid) on conflict do nothing;
insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                      idle_expires_at, expires_at, address, user_agent)
select lpad((:base + client * 1000000000::bigint)::text, 32, '0')::uuid, md5('refresh')::uuid, 'app', 'apple', now(), array['fed'], '1',
       sha256(int8send(:base + client * 1000000000::bigint)), now(), 2592000, now() + interval '30 days', now() + interval '90 days',
       '127.0.0.1', 'pgbench'
from generate_series(0, 63) as client
on conflict do nothing;
analyze sessions;
