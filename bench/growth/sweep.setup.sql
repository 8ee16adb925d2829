-- Each size finds the same. First goes what has expired or will within ten minutes; a call of the sweep reads 20,000 sessions.
update sweep_places set after = '00000000-0000-0000-0000-000000000000';
delete from flows where expires_at < now() + interval '10 minutes';
select sweep_expired(100000, 3000, 85800, 3000, 2591400);
update sweep_places set after = '00000000-0000-0000-0000-000000000000';

-- For each call 300 sessions, values, flows and budgets. The sessions lie among the first seeded ones, whose ids have no letter.
insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                      idle_expires_at, expires_at, created_at)
select lpad(600000000 + 5 * n || 'a', 32, '0')::uuid, lpad(n::text, 32, '0')::uuid, 'app', 'apple', e.at, '{fed}', '1', sha256(int8send(n)),
       e.at, 2592000, e.at, e.at, e.at
  from generate_series(1, least(:flows * 300, :people / 10)) n cross join (select now() - interval '200 days' as at) e;
insert into spent (expires_at, digest)
select now() - interval '2 hours', sha256(int8send(:base + n)) from generate_series(1, :flows * 300) n;
insert into flows (id, kind, client_id, state, expires_at)
select md5('expired ' || n)::uuid, 'sign_in', 'app', '{}', now() - interval '1 hour' from generate_series(1, :flows * 300) n;
insert into throttles (bucket, arrival)
select decode(md5('full ' || n), 'hex'), now() - interval '2 hours' from generate_series(1, :flows * 300) n;
analyze sessions, spent, flows, throttles;
