\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
\set person random(1, :people)
-- $1 sha256(('passkey ' || :person)::bytea)
select k.account_id, k.id, (select f from jsonb_array_elements(account_factors(k.account_id)->'passkeys') f
                             where f->>'id' = k.id::text)::text
  from passkeys k join accounts a on a.id = k.account_id and a.status = 'active'
 where k.credential_id = $1;
-- $1 lpad(:person::text, 32, '0')::uuid
-- $2 jsonb_build_array(jsonb_build_object('kind', 'passkey_used', 'passkey', md5('passkey ' || :person)::uuid, 'counter', 0, 'backed_up', true, 'becomes_backup_eligible', false))
-- $3 array[sha256(int8send(:number))]
-- $4 array[-(extract(epoch from now())::bigint + 360)]
-- $5 lpad(:number::text, 32, '0')::uuid
-- $6 'app'
-- $7 'passkey'
-- $8 sha256(int8send(:number))
-- $9 now()
-- $10 array['pop', 'user', 'mfa']
-- $11 '2'
-- $12 2592000
-- $13 7776000
-- $14 null
-- $15 '127.0.0.1'
-- $16 'pgbench'
-- $17 lpad(:number::text, 32, '0')
-- $18 null
-- $19 false
-- $20 600
-- $21 15552000
-- $22 8
-- $23 null::text[]
-- $24 null
-- $25 null
-- $26 true
-- $27 null
-- $28 null
-- $29 null
-- $30 '{"version": 1, "demanded": false, "proofs": [{"kind": "verified_passkey"}], "language": ""}'::jsonb
select outcome, display_name, email, email_proved, account_created
  from sign_in_with_passkey($1, $2, $3, $4, row($5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)::session_request, $30);
