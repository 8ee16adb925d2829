-- The owner of an identity, if the identity alone may prove that account for a merge; null otherwise. An account with a
-- second factor needs a session that proved it. So does one that can prove more than an answer of unknown age
-- (`p_undated`).
-- Locks: none
create or replace function mergeable_by_identity(p_kept uuid, p_identity uuid, p_undated boolean) returns uuid language sql stable as $$
    select a.id from identities i join accounts a on a.id = i.account_id
     where i.id = p_identity and a.id <> p_kept and a.status = 'active' and not a.mfa and not a.mfa_demanded
       and a.deletion_due_at is null and not exists (select from operators where account_id = a.id)
       and not (p_undated and can_prove_again(a.id));
$$;
