\set chain :base + :client_id * 1000000000
\set number :chain + :turn
\set next :number + 1
-- $1 false
-- $2 lpad(:chain::text, 32, '0')::uuid
-- $3 lpad(:chain::text, 32, '0')::uuid
-- $4 :turn::integer
-- $5 sha256(int8send(:number))
-- $6 sha256(int8send(:next))
-- $7 null::text
-- $8 10
-- $9 86400
-- $10 2
-- $11 '127.0.0.1'
-- $12 lpad(:number::text, 32, '0')
-- $13 '{}'::text[]
-- $14 null::text
-- $15 1000000
-- $16 1
-- $17 null
-- $18 null
select outcome, account_id, client_id, provider, auth_time, amr, acr, issued_at, idle_expires_at, claims::text, administers, scopes, wait,
       case when $1 then (select proofs::text from sessions where id = $2) end, actor_id, subject
  from rotate_refresh_token($3, $4, $5, $6, $7,
                            $8, $9, $10, $11,
                            $12, p_relaxed => $13, p_dialect => $14,
                            p_burst => $15, p_period => $16, p_resource => $17, p_key => $18);
\set turn :turn + 1
