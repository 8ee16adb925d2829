-- Flows that wait for their code, each of a seeded account.
insert into flows (id, kind, client_id, account_id, state, sealed, code_digest, resend_after, expires_at)
select lpad(n::text, 32, '0')::uuid, 'sign_in', 'app', lpad((1 + n % :people)::text, 32, '0')::uuid,
       jsonb_build_object('version', 1, 'provider', 'email_otp', 'proofs', '[]'::jsonb, 'language', '', 'guess_bucket', md5(n::text),
                          'new_account', false, 'name', 'coded' || 1 + n % :people || '@example.com'),
       decode(repeat('ab', 165), 'hex'), sha256(int8send(n)), now() + interval '30 seconds', now() + interval '10 minutes'
  from generate_series(:base + 1, :base + :flows) n;
analyze flows;
