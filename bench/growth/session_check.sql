\set session 6000000000 + random(0, :people * 5 - 1)
select s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.created_at, s.expires_at, s.device_name,
       a.display_name, e.address, e.proved_at is not null, a.created_at,
       s.refresh_digest, s.idle_seconds, s.idle_expires_at, s.claims_due_at, s.claims::text,
       a.deletion_requested_at, a.deletion_due_at, s.administers, a.guest, s.dialect, s.scopes,
       s.requested_claims::text, s.proofs::text, s.actor_id, s.subject
  from sessions s
  join accounts a on a.id = s.account_id and a.status = 'active'
  join clients c on c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since
  left join account_emails e on e.account_id = a.id and e.is_main
 where s.id = lpad(:session::text, 32, '0')::uuid and s.ended_at is null and s.expires_at > now();
