-- Flows that wait for an app's code, each of a seeded account, and the apps.
insert into factors (id, account_id, kind, sealed, counter)
select md5('coded ' || n)::uuid, lpad((1 + n % :people)::text, 32, '0')::uuid, 'totp', decode(repeat('ab', 93), 'hex'), 0
  from generate_series(:base + 1, :base + :flows) n;
insert into flows (id, kind, client_id, account_id, identity_id, proofs, state, sealed, revision, resend_after, expires_at)
select lpad(n::text, 32, '0')::uuid, 'sign_in', 'app', lpad((1 + n % :people)::text, 32, '0')::uuid, lpad((1 + n % :people)::text, 32, '0')::uuid,
       '[{"kind": "provider", "address": "coded@example.com"}]',
       jsonb_build_object('version', 1, 'provider', 'apple', 'language', '', 'guess_bucket', md5(n::text), 'new_account', false),
       decode(repeat('ab', 165), 'hex'), 1, now() + interval '30 seconds', now() + interval '10 minutes'
  from generate_series(:base + 1, :base + :flows) n;
analyze factors, flows;
